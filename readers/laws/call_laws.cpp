#include <algorithm>
#include <map>
#include <utility>

#include "analyzer/model/assumptions.h"
#include "readers/laws/check_laws.h"

namespace lapscope::analyzer::laws {

std::int64_t one_function(const TraceAsRead& read) { return read.tables.host.calls.misnamed; }

// Returns the number of calls that share their id with another call. Returns 0 for a trace of a
// part of a run: in captures of an armed process, CUPTI sometimes gives one id to several of the
// first calls of a thread (research/collector-safety.md).
std::int64_t ids_of_calls(const TraceAsRead& read) {
  return read.extent.is_whole ? read.ambiguous_calls : 0;
}

std::int64_t calls_return(const TraceAsRead& read) {
  const Trace& trace = read.trace;
  const Calls& calls = trace.calls;
  const auto is_of_runtime = [&](std::uint32_t call) {
    return trace.names.text(calls.name[call]).starts_with("cuda");
  };
  std::int64_t broken = read.tables.host.invalid;
  for (const Calls::Thread& thread : calls.threads) {
    for (std::uint32_t inner = thread.last; inner < thread.end; ++inner) {
      const std::uint32_t outer = calls.call_at(thread.global_tid, calls.start[inner]);
      const bool begins_in_another =
          inner > thread.last && calls.start[inner] < calls.end[inner - 1];
      broken +=
          begins_in_another || outer == no_index || is_of_runtime(inner) || !is_of_runtime(outer);
    }
  }
  return broken;
}

std::int64_t kinds_of_waits(const TraceAsRead& read) {
  std::int64_t broken = read.tables.host.synchronization.unlike_their_calls;
  for (const Synchronization& wait : read.trace.synchronizations) {
    const bool has_stream =
        wait.kind == SyncKind::stream || wait.kind == SyncKind::stream_wait_event;
    broken += has_stream != (wait.stream != no_index);
  }
  return broken;
}

namespace {

// Waits of the host for a stream or a whole context. They are indexed by the process and the id of
// the stream or context.
class Waits {
 public:
  explicit Waits(const Trace& trace) : calls_(trace.calls) {
    for (const Synchronization& wait : trace.synchronizations) {
      if (calls_.kind[wait.call] != CallKind::synchronize) continue;
      if (wait.kind == SyncKind::stream) add({wait.pid, wait.stream, false}, wait.call);
      if (wait.kind == SyncKind::context) add({wait.pid, wait.context, true}, wait.call);
    }
  }

  // Looks at the waits for this stream or its context that began at `time` or later. Returns the
  // wait that ends first; no_index if there is none.
  std::uint32_t first_after(const Stream& stream, Ns time) const {
    const std::uint32_t by_stream = first_after(Awaited{stream.pid, stream.id, false}, time);
    const std::uint32_t by_context = first_after(Awaited{stream.pid, stream.context, true}, time);
    if (by_stream == no_index || by_context == no_index) return std::min(by_stream, by_context);
    return calls_.end[by_stream] < calls_.end[by_context] ? by_stream : by_context;
  }

 private:
  struct Awaited {
    std::uint32_t pid = 0;
    std::uint32_t id = 0;
    bool is_context = false;

    friend auto operator<=>(const Awaited&, const Awaited&) = default;
  };

  // Must be called in the order in which the calls start.
  void add(const Awaited& awaited, std::uint32_t call) { waits_[awaited].push_back(call); }
  std::uint32_t first_after(const Awaited& awaited, Ns time) const {
    const auto found = waits_.find(awaited);
    if (found == waits_.end()) return no_index;
    const auto first =
        std::lower_bound(found->second.begin(), found->second.end(), time,
                         [this](std::uint32_t call, Ns when) { return calls_.start[call] < when; });
    return first == found->second.end() ? no_index : *first;
  }

  const Calls& calls_;
  std::map<Awaited, std::vector<std::uint32_t>> waits_;
};

}  // namespace

// Checks that waits end after the work they wait for. If the host issues an op to a stream and
// later waits for this stream, the op must end before the first such wait ends. If a blocking call
// copies to the host, the copy must end before the call ends.
std::int64_t waits_end(const TraceAsRead& read) {
  const Trace& trace = read.trace;
  const Calls& calls = trace.calls;
  const Waits waits(trace);
  std::int64_t broken = 0;
  const auto ends_late = [&](Ns end, std::uint32_t call) {
    return call != no_index && end - calls.end[call] > assumed::clocks_apart;
  };
  for (const Device& device : trace.devices) {
    const Ops& ops = device.ops;
    for (std::size_t op = 0; op < ops.size(); ++op) {
      const std::uint32_t call = ops.issue[op];
      if (call == no_index) continue;
      const bool is_awaited = calls.kind[call] == CallKind::copy_blocking &&
                              ops.engine[op] == Engine::d2h && ends_late(ops.end[op], call);
      const Stream& stream = device.streams[ops.stream[op]];
      broken += is_awaited || ends_late(ops.end[op], waits.first_after(stream, calls.end[call]));
    }
  }
  return broken;
}

std::int64_t events_recorded(const TraceAsRead& read) {
  const Trace& trace = read.trace;
  if (!read.extent.is_whole || !trace.facts.has_all("CUDA_EVENT")) return 0;
  using Id = std::pair<std::uint32_t, std::uint32_t>;  // process and id
  std::map<Id, std::uint32_t> records;                 // event by id of its record
  std::int64_t broken = 0;
  for (const EventRecord& record : trace.event_records) {
    if (record.event_sync == 0) continue;
    broken += !records.emplace(Id(record.pid, record.event_sync), record.event).second;
  }
  // By event: the event_sync of its latest record before `wait`. A record that was captured into a
  // graph has event_sync 0. Only a wait for such a record may also have event_sync 0.
  std::map<Id, std::uint32_t> latest;
  auto record = trace.event_records.begin();
  for (const Synchronization& wait : trace.synchronizations) {
    if (wait.kind != SyncKind::event && wait.kind != SyncKind::stream_wait_event) continue;
    for (; record != trace.event_records.end() &&
           trace.calls.start[record->call] < trace.calls.start[wait.call];
         ++record) {
      latest[{record->pid, record->event}] = record->event_sync;
    }
    if (wait.event_sync != 0) {
      const auto awaited = records.find({wait.pid, wait.event_sync});
      broken += awaited == records.end() || awaited->second != wait.event;
    } else {
      const auto before = latest.find({wait.pid, wait.event});
      broken += before != latest.end() && before->second != 0;
    }
  }
  return broken;
}

std::int64_t overheads_nest(const TraceAsRead& read) {
  const Calls& calls = read.trace.calls;
  std::map<std::int64_t, const Calls::Thread*> threads;
  for (const Calls::Thread& thread : calls.threads) threads[thread.global_tid] = &thread;
  std::int64_t broken = 0;
  for (const Overhead& overhead : read.trace.overheads) {
    const auto found = threads.find(overhead.global_tid);
    if (found == threads.end()) continue;
    const auto& [start, end] = overhead.interval;
    const auto first = calls.start.begin() + found->second->first;
    const auto last = calls.start.begin() + found->second->last;
    // An outermost call breaks the law if it overlaps the overhead only in part. Only two calls can
    // do so: the last call that begins before the overhead (at `behind - 1`), and the last call
    // that begins during the overhead (at `after - 1`).
    const auto behind = std::upper_bound(first, last, start);
    const auto after = std::lower_bound(behind, last, end);
    const auto straddles = [&](auto place) {
      const Interval call = calls.interval(static_cast<std::size_t>(place - calls.start.begin()));
      return (call.start < start && start < call.end && call.end < end) ||
             (start < call.start && call.start < end && end < call.end);
    };
    broken +=
        (behind != first && straddles(behind - 1)) || (after != behind && straddles(after - 1));
  }
  return broken;
}

}  // namespace lapscope::analyzer::laws
