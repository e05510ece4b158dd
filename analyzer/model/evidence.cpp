#include "analyzer/model/evidence.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>

#include "analyzer/model/captures.h"

namespace lapscope::analyzer {
namespace {

// Records that show what the host did: the calls of both APIs.
constexpr std::array<std::string_view, 2> calls = {"DRIVER", "RUNTIME"};
// Records that show what an op or a thread waited for: API calls, synchronization and events.
constexpr std::array<std::string_view, 4> waits = {"CUDA_EVENT", "DRIVER", "RUNTIME",
                                                   "SYNCHRONIZATION"};
constexpr std::array<std::string_view, 3> loads = {"DRIVER", "OVERHEAD", "RUNTIME"};
constexpr std::array<std::string_view, 2> streams = {"CONTEXT", "STREAM"};
constexpr std::array<std::string_view, 1> limits = {"DEVICE"};
constexpr std::array<std::string_view, 1> channels = {hardware_channels};

bool has(const std::vector<std::string>& kinds, std::string_view kind) {
  return std::ranges::find(kinds, kind) != kinds.end();
}

bool has_call(const Trace& trace, std::initializer_list<CallKind> kinds) {
  return std::ranges::any_of(trace.calls.kind, [kinds](CallKind kind) {
    return std::ranges::find(kinds, kind) != kinds.end();
  });
}

// Whether any call lacks the record that each call of its kind causes. Captured calls cause no
// record. If no call of a function has a record, but calls of other functions have one, the
// function is ignored: perhaps the recorder makes no records for it.
template <class Record, class F>
bool lacks_record(const Trace& trace, const Captures& captures, const std::vector<Record>& records,
                  F&& causes_one) {
  const Calls& calls = trace.calls;
  std::vector<bool> has_one(calls.size());
  std::set<std::uint32_t> functions;  // those with a record
  for (const Record& record : records) {
    has_one[record.call] = true;
    functions.insert(calls.name[record.call]);
  }
  for (std::uint32_t call = 0; call < calls.size(); ++call) {
    if (has_one[call] || !causes_one(calls.kind[call])) continue;
    if (!records.empty() && functions.count(calls.name[call]) == 0) continue;
    if (!captures.may_hold(calls, call)) return true;
  }
  return false;
}

// Whether a process waited for a context C, but the streams of C are not known: no stream of the
// process has the context C, and some of its streams have no recorded context. These streams may
// belong to C.
bool waits_for_unknown_streams(const Trace& trace) {
  std::set<std::uint32_t> unknown;  // processes
  std::set<std::pair<std::uint32_t, std::uint32_t>> contexts;
  for (const Device& device : trace.devices) {
    for (const Stream& stream : device.streams) {
      if (stream.context == 0) unknown.insert(stream.pid);
      contexts.insert({stream.pid, stream.context});
    }
  }
  return std::ranges::any_of(trace.synchronizations, [&](const Synchronization& wait) {
    return wait.kind == SyncKind::context && unknown.contains(wait.pid) &&
           !contexts.contains({wait.pid, wait.context});
  });
}

bool has_op_without_call(const Trace& trace) {
  for (const Device& device : trace.devices) {
    const Ops& ops = device.ops;
    std::vector<bool> is_issued(device.streams.size());
    for (std::uint32_t op = 0; op < ops.size(); ++op) {
      if (ops.issue[op] != no_index) {
        is_issued[ops.stream[op]] = true;
      } else if (is_issued[ops.stream[op]]) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace

std::size_t streams_used(const Trace& trace) {
  std::size_t most = 0;
  for (const Device& device : trace.devices) {
    std::vector<bool> is_used(device.streams.size());
    for (const std::uint32_t stream : device.ops.stream) is_used[stream] = true;
    most = std::max(most, static_cast<std::size_t>(std::ranges::count(is_used, true)));
  }
  return most;
}

bool has_one_stream(const TraceFacts& facts) { return has(facts.without_cause, "STREAM"); }

std::span<const std::string_view> records_of(Cause cause) {
  switch (cause) {
    case Cause::stream_order:
    case Cause::copy_engine:
    case Cause::not_issued:
    case Cause::unexplained:
      return {};  // the ops themselves show this cause
    case Cause::default_stream_barrier:
      return streams;
    case Cause::event_wait:
    case Cause::host_sync:
      return waits;
    case Cause::sm_saturated:
      return limits;
    case Cause::queue_alias:
      return channels;
    case Cause::module_load:
    case Cause::profiler:
      return loads;
    case Cause::host_func:
    case Cause::graph_edge:
    case Cause::graph_exec_reuse:
    case Cause::small_copies:
    case Cause::pageable_copy:
    case Cause::alloc_free:
    case Cause::host_pinning:
    case Cause::launch_blocking:
    case Cause::launch_overhead:
    case Cause::launch_latency:
    case Cause::host_call:
    case Cause::host_compute:
    case Cause::lock:
      break;
  }
  return calls;
}

std::vector<std::string_view> missing_records(const TraceFacts& facts, Cause cause) {
  std::vector<std::string_view> missing;
  for (const std::string_view kind : records_of(cause)) {
    if (!has(facts.recorded, kind) && !has(facts.without_cause, kind)) missing.push_back(kind);
  }
  return missing;
}

void leave_out_incomplete_kinds(Trace& trace, bool calls_missing) {
  std::vector<std::string>& recorded = trace.facts.recorded;
  if (calls_missing || has_op_without_call(trace)) std::erase(recorded, "RUNTIME");
  const Captures captures(trace);
  const auto is_event = [](CallKind kind) { return kind == CallKind::record_event; };
  if (lacks_record(trace, captures, trace.event_records, is_event)) {
    std::erase(recorded, "CUDA_EVENT");
  }
  const auto is_wait = [](CallKind kind) {
    return kind == CallKind::synchronize || kind == CallKind::wait_event;
  };
  if (lacks_record(trace, captures, trace.synchronizations, is_wait) ||
      waits_for_unknown_streams(trace)) {
    std::erase(recorded, "SYNCHRONIZATION");
  }
}

std::vector<std::string> kinds_without_cause(const Trace& trace) {
  std::vector<std::string> kinds;
  if (trace.calls.size() > 0 && has(trace.facts.recorded, "RUNTIME")) {
    if (!has_call(trace, {CallKind::record_event, CallKind::wait_event})) {
      kinds.emplace_back("CUDA_EVENT");
    }
    if (!has_call(trace, {CallKind::synchronize, CallKind::wait_event})) {
      kinds.emplace_back("SYNCHRONIZATION");
    }
  }
  // A single stream has no other stream to wait for.
  if (streams_used(trace) <= 1) {
    kinds.insert(kinds.end(), {"CONTEXT", "DEVICE", "STREAM", std::string(hardware_channels)});
  }
  return kinds;
}

}  // namespace lapscope::analyzer
