#include "analyzer/findings/held_tasks.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <tuple>

#include "analyzer/findings/places.h"
#include "analyzer/graph/host_time.h"
#include "analyzer/graph/small_copies.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

bool counts(const Recurring* recurring, std::uint32_t step, bool is_gap) {
  if (!recurring) return true;
  return is_gap ? recurring->gap(step) : recurring->call(step);
}
bool counts(const Held& held, std::uint32_t step, bool is_gap) {
  return counts(held.recurring, step, is_gap);
}

// The step of a cause that lasted longest between two instants, before the one that issued a task;
// that one when there is none.
std::uint32_t longest_step(const Graph& graph, Cause cause, const Held& held, std::uint32_t issuing,
                           std::int64_t from, std::int64_t to) {
  std::uint32_t longest = issuing;
  std::int64_t length = 0;
  for_host_time(graph, issuing, {from, to}, [&](const HostTime& part) {
    std::uint32_t step = part.step;
    if (part.is_gap) {  // which is a call's where the thread waited for a value: the one that
                        // copies
      const std::uint32_t value = graph.steps[step].after_task;
      step = value == no_index ? no_index : graph.tasks[value].step;
    }
    if (step == no_index || mended_with(part.cause) != cause || !counts(held, step, false)) return;
    if (part.interval.length() <= length) return;
    length = part.interval.length();
    longest = step;
  });
  return longest;
}

// The step of a thread with the longest gap before it, up to the one that issued something.
std::uint32_t after_longest_gap(const Graph& graph, Cause cause, const Held& held,
                                std::uint32_t issuing, std::int64_t from) {
  const auto gap_before = [&](std::uint32_t s) -> std::int64_t {
    if (!counts(held, s, true)) return 0;
    const Step& step = graph.steps[s];
    const std::int64_t whole = step.start - graph.steps[s - 1].end;
    const std::int64_t own = step.waits_for_turn() ? std::min(step.after_gap, whole) : whole;
    return cause == Cause::lock ? whole - own : own;
  };
  const std::uint32_t first = thread_of(graph, issuing).first;
  std::uint32_t longest = issuing;
  std::uint32_t looked_at = 0;
  for (std::uint32_t s = issuing; s > first && looked_at++ < assumed::most_steps_back; --s) {
    if (gap_before(s) > gap_before(longest)) longest = s;
    if (graph.steps[s - 1].start <= from) break;
  }
  return longest;
}

// What held a task up: another task, or a call, or host work, told by the call behind it.
struct Holder {
  std::uint32_t task = no_index;
  std::uint32_t step = no_index;
  bool is_gap = false;
};

// Host work is what a thread does between calls, and in calls that have no cause of their own, such
// as cudaStreamCreate: whichever lasted longest.
Holder host_work(const Graph& graph, const Held& held, std::uint32_t issuing, std::int64_t from,
                 std::int64_t to) {
  const std::uint32_t behind = after_longest_gap(graph, Cause::host_compute, held, issuing, from);
  const std::uint32_t call = longest_step(graph, Cause::host_compute, held, issuing, from, to);
  const bool is_first = thread_of(graph, behind).first == behind;
  const std::int64_t gap = is_first ? 0 : graph.steps[behind].start - graph.steps[behind - 1].end;
  const Step& step = graph.steps[call];
  const bool is_call = step.cause == Cause::host_call && counts(held, call, false) &&
                       (step.end - step.start > gap || !counts(held, behind, true));
  return is_call ? Holder{no_index, call} : Holder{no_index, behind, true};
}

Holder holder_of(const Sources& sources, Cause cause, const Held& held, const HeldTask& one) {
  const Graph& graph = sources.graph;
  const std::uint32_t t = one.task;
  const Task& task = graph.tasks[t];
  if (cause == Cause::small_copies) return {t, no_index};
  if (cause == Cause::pageable_copy && is_pageable(sources.trace, task)) return {t, no_index};
  const Binding& binding = graph.bindings[t];
  if (binding.from != no_index) return {binding.from, no_index};
  if (task.step == no_index) return {};
  const std::int64_t from = one.since;
  if (cause == Cause::lock) {
    return {no_index, after_longest_gap(graph, cause, held, task.step, from), true};
  }
  if (cause == Cause::host_compute) {
    return host_work(graph, held, task.step, from, binding.release);
  }
  const std::uint32_t step = longest_step(graph, cause, held, task.step, from, binding.release);
  // A call that takes pageable memory is named for the copy, as the copy itself is.
  const bool is_copy = cause == Cause::pageable_copy && graph.steps[step].task_count > 0;
  return is_copy ? Holder{graph.steps[step].first_task, no_index} : Holder{no_index, step};
}

// When it ran.
Interval interval_of(const Graph& graph, const Holder& holder) {
  if (holder.task != no_index) {
    return {graph.tasks[holder.task].start, graph.tasks[holder.task].end};
  }
  if (holder.step == no_index) return {};
  const Step& step = graph.steps[holder.step];
  if (!holder.is_gap) return {step.start, step.end};
  const bool is_first = thread_of(graph, holder.step).first == holder.step;
  return {is_first ? step.start : graph.steps[holder.step - 1].end, step.start};
}

// A barrier of the default stream has two sides; the one to name is that of the default stream,
// whichever of them waited. Of a copy behind a kernel it is the copy.
std::uint32_t at_fault(const Graph& graph, Cause cause, std::uint32_t t) {
  const std::uint32_t from = graph.bindings[t].from;
  if (from == no_index) return no_index;
  if (cause == Cause::stream_order && is_copy_behind_kernel(graph, from, t)) return t;
  if (cause != Cause::default_stream_barrier) return no_index;
  return is_in_legacy_stream(graph, from) ? from : t;
}

// The stream that the trace has it in, where a timeline draws it: what one GPU sends to another is
// in a stream of its own there, and waits for the one that it was issued to.
std::uint32_t recorded_stream(const Sources& sources, const Task& task) {
  if (task.op == no_index) return sources.graph.streams[task.stream].id;
  const Device& device = sources.trace.devices[task.device];
  return device.streams[device.ops.stream[task.op]].id;
}

// The tasks of a scope, and what held each of them up.
class Waits {
 public:
  Waits(const Trace& trace, const Graph& graph, const GraphScope& scope, const Recurring& recurring,
        const std::vector<bool>& is_small)
      : trace_(trace), graph_(graph), scope_(scope), recurring_(recurring), is_small_(is_small) {}

  // When nothing else did, in the window.
  Interval free(std::uint32_t t) const {
    const Binding& binding = graph_.bindings[t];
    return {std::max({binding.next_release, graph_.begin, scope_.window.start}),
            std::min(binding.release, scope_.window.end)};
  }

  // Calls take(cause, interval) for each time in which one held the task up, none of them empty.
  template <class Take>
  void of(std::uint32_t t, Take&& take) const {
    const Task& task = graph_.tasks[t];
    const Binding& binding = graph_.bindings[t];
    const Interval free = this->free(t);
    if (binding.from == no_index && task.step != no_index && binding.release != never) {
      for_host_time(graph_, task.step, free, [&](const HostTime& part) {
        const Cause cause = mended_with(part.cause);
        if (counts(Recurring::concerns(cause) ? &recurring_ : nullptr, part.step, part.is_gap)) {
          take(cause, part.interval);
        }
      });
    } else if (free.start < free.end) {
      take(binding.cause, free);
    }
    // What the cause makes longer than it need be: copies of pageable memory, and small ones that
    // could be one.
    const Interval own{std::max(task.start, scope_.window.start),
                       std::min(task.end, scope_.window.end)};
    if (own.start >= own.end) return;
    if (is_pageable(trace_, task)) take(Cause::pageable_copy, own);
    if (t < is_small_.size() && is_small_[t]) take(Cause::small_copies, own);
  }

 private:
  const Trace& trace_;
  const Graph& graph_;
  const GraphScope& scope_;
  const Recurring& recurring_;
  const std::vector<bool>& is_small_;  // in_small_copy_runs()
};

}  // namespace

std::vector<bool> in_small_copy_runs(const Trace& trace, const Graph& graph) {
  std::vector<bool> is_small;
  for (const CopyRun& run : small_copy_runs(trace, graph)) {
    is_small.resize(graph.tasks.size());
    for (const std::uint32_t t : run.tasks) is_small[t] = true;
  }
  return is_small;
}

bool is_in_legacy_stream(const Graph& graph, std::uint32_t task) {
  return graph.streams[graph.tasks[task].stream].kind == StreamKind::legacy_default;
}

bool is_copy_behind_kernel(const Graph& graph, std::uint32_t before, std::uint32_t task) {
  return graph.tasks[task].engine == Engine::h2d && graph.tasks[before].engine == Engine::compute;
}

Held held_by(const Trace& trace, const Graph& graph, const GraphScope& scope, Cause cause,
             const Recurring& recurring) {
  Held held;
  std::vector<bool> is_small;
  if (cause == Cause::small_copies) is_small = in_small_copy_runs(trace, graph);
  const Waits waits(trace, graph, scope, recurring, is_small);
  if (Recurring::concerns(cause)) held.recurring = &recurring;
  for (const std::uint32_t t : scope.tasks) {
    const std::size_t first = held.waits.size();
    waits.of(t, [&](Cause one, Interval interval) {
      if (one == cause) held.waits.push_back(interval);
    });
    if (held.waits.size() == first) continue;
    std::int64_t ns = 0;
    for (std::size_t w = first; w < held.waits.size(); ++w) ns += held.waits[w].length();
    held.tasks.push_back({t, ns, waits.free(t).start, static_cast<std::uint32_t>(first),
                          static_cast<std::uint32_t>(held.waits.size() - first)});
  }
  return held;
}

HeldTimes held_times(const Trace& trace, const Graph& graph, const GraphScope& scope,
                     const Recurring& recurring, const std::vector<bool>& is_small) {
  HeldTimes times{};
  const Waits waits(trace, graph, scope, recurring, is_small);
  for (const std::uint32_t t : scope.tasks) {
    waits.of(t, [&](Cause cause, Interval interval) {
      times[static_cast<std::size_t>(cause)] += interval.length();
    });
  }
  return times;
}

std::int64_t held_time(const Held& held) { return IntervalSet::union_of(held.waits).length(); }

std::vector<CallSite> places_of(const Sources& sources, Cause cause, const Held& held) {
  Places places(sources, cause);
  struct Site {
    CallSite call_site;
    std::vector<Interval> waits;
    std::set<std::string> threads;
    std::map<std::uint32_t, std::vector<Interval>> chains;  // and those by calls with each
  };
  const GraphNames names(sources);
  std::map<std::uint32_t, Site> sites;
  for (const HeldTask& one : held.tasks) {
    Holder holder = holder_of(sources, cause, held, one);
    if (const std::uint32_t fault = at_fault(sources.graph, cause, one.task); fault != no_index) {
      holder = {fault, no_index};
    }
    if (holder.task == no_index && holder.step == no_index) continue;
    // The other task, unless it is the one at fault itself.
    const std::uint32_t waiting = holder.task == one.task ? no_index : one.task;
    const std::uint32_t place = holder.task != no_index ? places.of_holder(holder.task, waiting)
                                : holder.is_gap         ? places.of_gap(holder.step)
                                                        : places.of_step(holder.step);
    Site& site = sites[place];
    site.call_site.what = places[place].what;
    site.call_site.range = places[place].range;
    site.call_site.line = places[place].line;
    site.call_site.caller = places[place].caller;
    ++site.call_site.occurrences;
    const std::uint32_t call = holder.task != no_index ? names.call_of(holder.task)
                                                       : sources.graph.steps[holder.step].call;
    if (call != no_index) site.threads.insert(names.thread(call));
    const std::uint32_t chain = holder.task != no_index
                                    ? places.chain_of_holder(holder.task, waiting)
                                    : names.chain_of(call);
    const auto waits = std::span(held.waits).subspan(one.first_wait, one.wait_count);
    site.waits.insert(site.waits.end(), waits.begin(), waits.end());
    if (chain == CallStacks::none) continue;
    std::vector<Interval>& of_chain = site.chains[chain];
    of_chain.insert(of_chain.end(), waits.begin(), waits.end());
  }
  std::vector<CallSite> result;
  for (auto& [place, site] : sites) {
    site.call_site.waited_ns = IntervalSet::union_of(std::move(site.waits)).length();
    site.call_site.threads.assign(site.threads.begin(), site.threads.end());
    std::int64_t longest = never;
    for (auto& [chain, waits] : site.chains) {
      const std::int64_t waited = IntervalSet::union_of(std::move(waits)).length();
      if (waited <= longest) continue;
      longest = waited;
      site.call_site.stack = names.stack(chain);
      site.call_site.forward_stack = names.forward_stack(chain);
    }
    result.push_back(std::move(site.call_site));
  }
  std::sort(result.begin(), result.end(), [](const CallSite& a, const CallSite& b) {
    return std::tie(b.waited_ns, a.what, a.range, a.line, a.caller) <
           std::tie(a.waited_ns, b.what, b.range, b.line, b.caller);
  });
  return result;
}

std::vector<Evidence> evidence_of(const Sources& sources, Cause cause, const Held& held,
                                  std::size_t most) {
  std::vector<HeldTask> longest = held.tasks;
  std::stable_sort(longest.begin(), longest.end(),
                   [](const HeldTask& a, const HeldTask& b) { return a.ns > b.ns; });
  if (longest.size() > most) longest.resize(most);
  const GraphNames names(sources);
  Places places(sources, cause);
  std::vector<Evidence> result;
  for (const HeldTask& one : longest) {
    const Task& task = sources.recorded().tasks[one.task];
    // In the graph it may have run at another time than in the trace.
    const std::int64_t waited = sources.graph.tasks[one.task].start - one.since;
    const Holder holder = holder_of(sources, cause, held, one);
    const std::uint32_t call = names.call_of(one.task);
    Evidence evidence;
    evidence.waiting = {task.start - std::max<std::int64_t>(0, waited), task.start};
    evidence.op = names.of_task(one.task);
    evidence.op_interval = {task.start, task.end};
    evidence.stream = recorded_stream(sources, task);
    if (holder.task != no_index) evidence.held_by = places[places.of_task(holder.task)].what;
    if (holder.step != no_index) {
      const auto place = holder.is_gap ? places.of_gap(holder.step) : places.of_step(holder.step);
      evidence.held_by = places[place].what;
    }
    evidence.holder = interval_of(sources.recorded(), holder);
    if (call != no_index) evidence.call = names.function(call);
    evidence.thread = names.thread(call);
    evidence.range = names.range(names.range_around(call));
    evidence.line = names.line(names.chain_of(call));
    result.push_back(std::move(evidence));
  }
  return result;
}

}  // namespace lapscope::analyzer
