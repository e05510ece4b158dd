#include "analyzer/findings/call_sites.h"

#include <algorithm>
#include <map>

#include "analyzer/iterations/find_iterations.h"
#include "analyzer/model/describe.h"

namespace lapscope::analyzer {
namespace {

bool is_pageable(const Trace& trace, const Task& task) {
  const std::uint8_t memory = trace.devices[task.device].ops.memory[task.op];
  return (memory & (source_pageable | target_pageable)) != 0;
}

// When the task could have started but for its binding, and no earlier than the window.
std::int64_t free_since(const Graph& graph, std::uint32_t task) {
  return std::max(graph.bindings[task].next_release, graph.begin);
}

// The step of a cause that lasted longest between two instants, before the one that issued a task;
// that one when there is none.
std::uint32_t longest_step(const Graph& graph, Cause cause, std::uint32_t issuing,
                           std::int64_t from, std::int64_t to) {
  constexpr std::uint32_t most_steps = 1'000;
  const std::uint32_t first = thread_of(graph, issuing).first;
  std::uint32_t longest = issuing;
  std::int64_t length = 0;
  std::uint32_t looked_at = 0;
  for (std::uint32_t s = issuing + 1; s-- > first && looked_at++ < most_steps;) {
    const Step& step = graph.steps[s];
    if (step.end <= from) break;
    if (step.cause != cause) continue;
    const std::int64_t inside = std::min(step.end, to) - std::max(step.start, from);
    if (inside > length) {
      length = inside;
      longest = s;
    }
  }
  return longest;
}

// The gap between two calls of a thread that lasted longest, as the interval of host work.
Interval longest_gap(const Graph& graph, std::uint32_t issuing, std::int64_t from) {
  const std::uint32_t first = thread_of(graph, issuing).first;
  Interval longest{graph.steps[issuing].start, graph.steps[issuing].start};
  for (std::uint32_t s = issuing; s > first; --s) {
    const Interval gap{graph.steps[s - 1].end, graph.steps[s].start};
    if (gap.end - gap.start > longest.end - longest.start) longest = gap;
    if (graph.steps[s - 1].start <= from) break;
  }
  return longest;
}

// What held a task up: an op, a call, or the host's own work.
struct Holder {
  std::string what;
  Interval interval;
  std::uint32_t call = no_index;  // the call that stands for it, or that issued it
};

class Describer {
 public:
  Describer(const Sources& sources, Cause cause) : sources_(sources), cause_(cause) {}

  Holder holder_of(std::uint32_t t) const {
    const Graph& graph = sources_.graph;
    const Task& task = graph.tasks[t];
    if (cause_ == Cause::pageable_copy && is_pageable(sources_.trace, task)) return of_task(t);
    const Binding& binding = graph.bindings[t];
    if (binding.from != no_index) return of_task(binding.from);
    if (task.step == no_index) return {};
    const std::int64_t from = free_since(graph, t);
    if (cause_ == Cause::host_compute) {
      return {"host code between calls", longest_gap(graph, task.step, from),
              graph.steps[task.step].call};
    }
    const Step& step = graph.steps[longest_step(graph, cause_, task.step, from, binding.release)];
    return {function_of(step.call), {step.start, step.end}, step.call};
  }

  std::string name_of(std::uint32_t t) const {
    const Task& task = sources_.graph.tasks[t];
    if (task.op == no_index) return "host function";
    return name_of_op(sources_.trace, sources_.trace.devices[task.device], task.op);
  }

  std::uint32_t range_of(std::uint32_t call) const {
    if (call == no_index) return no_index;
    const Calls& calls = sources_.trace.calls;
    return sources_.host.innermost_range(calls.threads[calls.thread_of(call)].global_tid,
                                         calls.start[call]);
  }
  std::string range_name(std::uint32_t range) const {
    if (range == no_index) return {};
    return sources_.trace.names.text(sources_.trace.ranges[range].name);
  }
  std::string function_of(std::uint32_t call) const {
    return function_name(sources_.trace.names.text(sources_.trace.calls.name[call]));
  }
  std::uint32_t call_of(std::uint32_t t) const {
    const std::uint32_t step = sources_.graph.tasks[t].step;
    return step == no_index ? no_index : sources_.graph.steps[step].call;
  }
  std::string thread_of_call(std::uint32_t call) const {
    if (call == no_index) return {};
    const Calls& calls = sources_.trace.calls;
    return "thread " + std::to_string(tid_of(calls.threads[calls.thread_of(call)].global_tid));
  }

 private:
  Holder of_task(std::uint32_t t) const {
    const Task& task = sources_.graph.tasks[t];
    const GraphStream& stream = sources_.graph.streams[task.stream];
    std::string where;
    if (stream.kind == StreamKind::legacy_default) {
      where = " in the legacy default stream";
    } else if (cause_ == Cause::pageable_copy) {
      where = " of pageable memory";
    }
    return {name_of(t) + where, {task.start, task.end}, call_of(t)};
  }

  const Sources& sources_;
  Cause cause_;
};

// A barrier of the default stream has two sides; the one to name is that of the default stream,
// whichever of them waited.
std::uint32_t at_fault(const Graph& graph, Cause cause, std::uint32_t t) {
  const std::uint32_t from = graph.bindings[t].from;
  const auto is_legacy = [&graph](std::uint32_t task) {
    return graph.streams[graph.tasks[task].stream].kind == StreamKind::legacy_default;
  };
  if (cause != Cause::default_stream_barrier || from == no_index) return no_index;
  return is_legacy(from) ? from : t;
}

}  // namespace

std::vector<HeldTask> held_by(const Trace& trace, const Graph& graph, const Scoped& scope,
                              Cause cause) {
  std::vector<HeldTask> held;
  const std::int64_t most = scope.window.end - scope.window.start;
  for (const std::uint32_t t : scope.tasks) {
    const Binding& binding = graph.bindings[t];
    std::int64_t ns = 0;
    if (binding.cause == cause && binding.release != never) {
      ns = std::clamp<std::int64_t>(binding.release - free_since(graph, t), 0, most);
    }
    if (cause == Cause::pageable_copy && is_pageable(trace, graph.tasks[t])) {
      ns += graph.tasks[t].end - graph.tasks[t].start;
    }
    if (ns > 0) held.push_back({t, ns});
  }
  return held;
}

std::vector<CallSite> call_sites(const Sources& sources, Cause cause,
                                 const std::vector<HeldTask>& held) {
  const Describer describe(sources, cause);
  std::map<std::pair<std::string, std::string>, CallSite> sites;
  for (const HeldTask& one : held) {
    const Holder holder = describe.holder_of(one.task);
    std::string what = holder.what;
    std::uint32_t call = holder.call;
    if (const std::uint32_t fault = at_fault(sources.graph, cause, one.task); fault != no_index) {
      what = describe.name_of(fault) + " in the legacy default stream";
      call = describe.call_of(fault);
    }
    std::string range = without_digits(describe.range_name(describe.range_of(call)));
    CallSite& site = sites[{what, range}];
    site.what = std::move(what);
    site.range = std::move(range);
    ++site.occurrences;
    site.waited_ns += one.ns;
  }
  std::vector<CallSite> result;
  for (auto& [key, site] : sites) result.push_back(std::move(site));
  std::stable_sort(result.begin(), result.end(),
                   [](const CallSite& a, const CallSite& b) { return a.waited_ns > b.waited_ns; });
  return result;
}

std::vector<Evidence> evidence_of(const Sources& sources, Cause cause, std::vector<HeldTask> held,
                                  std::size_t most) {
  std::stable_sort(held.begin(), held.end(),
                   [](const HeldTask& a, const HeldTask& b) { return a.ns > b.ns; });
  if (held.size() > most) held.resize(most);
  const Describer describe(sources, cause);
  std::vector<Evidence> result;
  for (const HeldTask& one : held) {
    const Task& task = sources.graph.tasks[one.task];
    const Holder holder = describe.holder_of(one.task);
    const std::uint32_t call = describe.call_of(one.task);
    Evidence evidence;
    evidence.waiting = {std::min(free_since(sources.graph, one.task), task.start), task.start};
    evidence.op = describe.name_of(one.task);
    evidence.op_interval = {task.start, task.end};
    evidence.stream = sources.graph.streams[task.stream].id;
    evidence.held_by = holder.what;
    evidence.holder = holder.interval;
    if (call != no_index) evidence.call = describe.function_of(call);
    evidence.thread = describe.thread_of_call(call);
    evidence.range = describe.range_name(describe.range_of(call));
    result.push_back(std::move(evidence));
  }
  return result;
}

}  // namespace lapscope::analyzer
