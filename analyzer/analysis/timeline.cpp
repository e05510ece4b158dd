#include "analyzer/analysis/timeline.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "analyzer/analysis/report.h"
#include "analyzer/explain/places.h"
#include "analyzer/model/trace.h"

namespace lapscope::analyzer {
namespace {

// Gives a number to each text that occurs. Equal texts have the same number.
class TextTable {
 public:
  explicit TextTable(const Names& names) : names_(names), index_(names.size(), no_index) {}

  std::uint32_t of_name(std::uint32_t name) {
    if (index_[name] == no_index) index_[name] = append(names_.text(name));
    return index_[name];
  }
  // Returns the number of a function's name, without the version suffix that CUPTI adds.
  std::uint32_t of_function(std::uint32_t name) {
    if (index_[name] == no_index) index_[name] = append(function_name(names_.text(name)));
    return index_[name];
  }
  std::uint32_t of_text(const std::string& text) {
    const auto [found, is_new] = others_.try_emplace(text, 0);
    if (is_new) found->second = append(text);
    return found->second;
  }
  std::vector<std::string> take() { return std::move(texts_); }

 private:
  std::uint32_t append(const std::string& text) {
    texts_.push_back(text);
    return static_cast<std::uint32_t>(texts_.size() - 1);
  }

  const Names& names_;
  std::vector<std::uint32_t> index_;  // by name of the trace
  std::map<std::string, std::uint32_t> others_;
  std::vector<std::string> texts_;
};

constexpr Interval nothing{latest_time, 0};

bool reaches_into(Interval interval, Interval window) {
  return interval.start <= window.end && interval.end >= window.start;
}

// Adds the lanes of a device. Fills TimelineLane::call with the indices of the calls in the trace.
// timeline_of() replaces them by indices in the timeline.
void add_lanes(const Trace& trace, const std::vector<bool>& communication,
               const DeviceResult& result, TextTable& texts, Timeline& timeline) {
  const auto device = std::ranges::find(trace.devices, result.id, &Device::id);
  const Ops& ops = device->ops;
  const auto first_geometry = static_cast<std::uint32_t>(timeline.geometries.size());
  timeline.geometries.insert(timeline.geometries.end(), ops.geometries.begin(),
                             ops.geometries.end());
  std::map<std::tuple<Engine, std::uint32_t>, TimelineLane> lanes;
  for (std::uint32_t op = 0; op < ops.size(); ++op) {
    if (!reaches_into(ops.interval(op), result.scope.window)) continue;
    TimelineLane& lane = lanes[{engine_of(ops, op, communication), ops.stream[op]}];
    lane.start.push_back(ops.start[op]);
    lane.end.push_back(ops.end[op]);
    lane.bytes.push_back(ops.bytes[op]);
    lane.name.push_back(ops.kind[op] == OpKind::kernel
                            ? texts.of_name(ops.name[op])
                            : texts.of_text(name_of_op(trace, *device, op)));
    lane.geometry.push_back(ops.geometry[op] == no_index ? no_index
                                                         : first_geometry + ops.geometry[op]);
    lane.call.push_back(ops.issue[op]);
    timeline.extent.extend_to(ops.interval(op));
    if (ops.issue[op] != no_index) timeline.extent.extend_to(trace.calls.interval(ops.issue[op]));
  }
  for (auto& [key, lane] : lanes) {
    lane.device = result.id;
    lane.engine = std::get<0>(key);
    lane.stream = device->streams[std::get<1>(key)];
    timeline.lanes.push_back(std::move(lane));
  }
}

// Gives a number to each chain of call stacks that occurs. Equal chains have the same number.
class SiteTable {
 public:
  SiteTable(const Trace& trace, std::vector<TimelineSite>& sites) : trace_(trace), sites_(sites) {
    index_.resize(trace.stacks.chain_count(), no_index);
  }

  std::uint32_t of_call(std::uint32_t call) {
    const CallStacks& stacks = trace_.stacks;
    const std::uint32_t chain = stacks.of_call(call);
    if (chain == CallStacks::none) return no_index;
    if (stacks.own_frame(stacks.line_chain(chain)) == CallStacks::none) return no_index;
    if (index_[chain] == no_index) {
      index_[chain] = static_cast<std::uint32_t>(sites_.size());
      const std::uint32_t forward = stacks.forward(chain);
      sites_.push_back({frames_of(trace_, chain), forward == CallStacks::none
                                                      ? std::vector<StackFrame>{}
                                                      : frames_of(trace_, forward)});
    }
    return index_[chain];
  }

 private:
  const Trace& trace_;
  std::vector<TimelineSite>& sites_;
  std::vector<std::uint32_t> index_;  // by chain
};

void append(TimelineSpans& spans, Interval interval, std::uint32_t name) {
  spans.start.push_back(interval.start);
  spans.end.push_back(interval.end);
  spans.name.push_back(name);
}

// Adds the calls that reach into `extent`. Returns, for each call of the trace, its index in the
// timeline, or no_index if the call is not in the timeline.
std::vector<std::uint32_t> add_calls(const Trace& trace, Interval extent, TextTable& texts,
                                     SiteTable& sites,
                                     std::map<std::int64_t, TimelineThread>& threads) {
  const Calls& calls = trace.calls;
  std::vector<std::uint32_t> shown(calls.size(), no_index);
  // The threads are visited in the order of the timeline, so the indices of calls in the timeline
  // ascend from thread to thread.
  std::map<std::int64_t, const Calls::Thread*> by_id;
  for (const Calls::Thread& thread : calls.threads) by_id[thread.global_tid] = &thread;
  std::uint32_t next = 0;
  for (const auto& [global_tid, thread] : by_id) {
    for (std::uint32_t call = thread->first; call < thread->end; ++call) {
      if (!reaches_into(calls.interval(call), extent)) continue;
      TimelineSpans& spans = threads[global_tid].calls;
      append(spans, calls.interval(call), texts.of_function(calls.name[call]));
      if (!trace.stacks.empty()) spans.site.push_back(sites.of_call(call));
      shown[call] = next++;
    }
  }
  return shown;
}

void add_seen(const Trace& trace, const HostPartition& host, TextTable& texts, Timeline& timeline,
              std::map<std::int64_t, TimelineThread>& threads) {
  std::map<TimelineHostWork, std::uint32_t> known;
  for (std::uint32_t thread = 0; thread < trace.calls.threads.size(); ++thread) {
    for (const HostPartition::Slice& slice : host.slices_of(thread)) {
      const Interval shown = slice.interval.within(timeline.extent);
      if (shown.length() == 0) continue;
      TimelineHostWork work{slice.kind, slice.state, trace.names.text(slice.own.file),
                            slice.own.line, trace.names.text(slice.caller)};
      const auto [number, is_new] =
          known.try_emplace(work, static_cast<std::uint32_t>(timeline.host_work.size()));
      if (is_new) timeline.host_work.push_back(std::move(work));
      const std::string& function = trace.names.text(slice.own.function);
      TimelineSpans& seen = threads[trace.calls.threads[thread].global_tid].seen;
      append(seen, shown,
             function.empty() ? texts.of_text(std::string(name_of(slice.kind)))
                              : texts.of_name(slice.own.function));
      seen.site.push_back(number->second);
    }
  }
}

}  // namespace

// The calls of a thread begin with the outermost calls. The first call that starts earlier than its
// predecessor is the first nested call. Only the outermost calls are used, because nested calls lie
// inside them.
TimelineSpans between_calls(const TimelineThread& thread) {
  const TimelineSpans& calls = thread.calls;
  const auto inner = std::ranges::is_sorted_until(calls.start);
  const auto outermost = static_cast<std::size_t>(inner - calls.start.begin());
  TimelineSpans result;
  std::size_t call = 0;
  for (std::size_t i = 0; i < thread.seen.size(); ++i) {
    Ns from = thread.seen.start[i];
    const Ns end = thread.seen.end[i];
    const auto add_until = [&](Ns until) {
      if (from >= until) return;
      append(result, {from, until}, thread.seen.name[i]);
      result.site.push_back(thread.seen.site[i]);
    };
    while (call < outermost && calls.end[call] <= from) ++call;
    for (; call < outermost && calls.start[call] < end; ++call) {
      add_until(calls.start[call]);
      from = std::max(from, calls.end[call]);
      if (calls.end[call] > end) break;  // the call may reach into the next interval, too
    }
    add_until(end);
  }
  return result;
}

Timeline timeline_of(const Trace& trace, const std::vector<bool>& communication,
                     const std::vector<DeviceResult>& devices, const HostPartition* host) {
  Timeline timeline;
  timeline.extent = nothing;
  TextTable texts(trace.names);
  for (const DeviceResult& device : devices) {
    add_lanes(trace, communication, device, texts, timeline);
  }
  if (timeline.lanes.empty()) timeline.extent = {};

  std::map<std::int64_t, TimelineThread> threads;
  SiteTable sites(trace, timeline.sites);
  const std::vector<std::uint32_t> shown = add_calls(trace, timeline.extent, texts, sites, threads);
  for (TimelineLane& lane : timeline.lanes) {
    for (std::uint32_t& call : lane.call) {
      if (call != no_index) call = shown[call];
    }
  }
  for (const NvtxRange& range : trace.ranges) {
    if (!reaches_into(range.interval, timeline.extent)) continue;
    append(threads[range.global_tid].ranges, range.interval, texts.of_name(range.name));
  }
  if (host != nullptr) add_seen(trace, *host, texts, timeline, threads);
  for (auto& [global_tid, thread] : threads) {
    thread.pid = pid_of(global_tid);
    thread.tid = tid_of(global_tid);
    timeline.threads.push_back(std::move(thread));
  }
  timeline.names = texts.take();
  return timeline;
}

std::size_t Timeline::ops() const {
  std::size_t count = 0;
  for (const TimelineLane& lane : lanes) count += lane.size();
  return count;
}

std::size_t Timeline::calls() const {
  std::size_t count = 0;
  for (const TimelineThread& thread : threads) count += thread.calls.size();
  return count;
}

}  // namespace lapscope::analyzer
