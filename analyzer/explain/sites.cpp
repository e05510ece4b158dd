#include "analyzer/explain/sites.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

#include "analyzer/explain/places.h"
#include "analyzer/intervals/interval_set.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

// What delayed a task longest: another task, a call, or the host's work before a call (`is_gap`).
struct Holder {
  std::uint32_t task = no_index;
  std::uint32_t step = no_index;
  bool is_gap = false;
};

Holder holder_of(const Graph& graph, std::span<const Part> parts) {
  const Part& part =
      *std::ranges::max_element(parts, {}, [](const Part& one) { return one.interval.length(); });
  if (part.is_work) return {part.task};
  if (part.step == no_index) return {graph.bindings[part.task].from};
  // A call that copies pageable memory has the same place as its copy.
  const Step& step = graph.steps[part.step];
  const bool is_copy = part.cause == Cause::pageable_copy && step.task_count > 0;
  return is_copy ? Holder{step.first_task} : Holder{no_index, part.step, part.is_gap};
}

Interval interval_of(const Sources& sources, const Holder& holder) {
  if (holder.task != no_index) return sources.recorded_time_of(holder.task);
  if (holder.step == no_index) return {};
  const Interval call = sources.recorded_time_of_step(holder.step);
  if (!holder.is_gap) return call;
  const bool is_first = thread_of(sources.graph, holder.step).first == holder.step;
  return {is_first ? call.start : sources.recorded_time_of_step(holder.step - 1).end, call.start};
}

// Returns the stream of a task in the trace. For a copy between GPUs, the trace may have an
// internal stream of the other GPU, but the graph has the stream to which the copy was issued.
std::uint32_t recorded_stream(const Sources& sources, const Task& task) {
  if (task.op == no_index) return sources.graph.streams[task.stream].id;
  const Device& device = sources.trace.devices[task.device];
  return device.streams[device.ops.stream[task.op]].id;
}

struct Site {
  CallSite call_site;
  std::vector<Interval> waits;
  std::set<std::string> threads;
  std::map<std::uint32_t, std::vector<Interval>> chains;  // waits by chain of the call
  Ns ns = 0;
  std::map<Clue, Ns> clues;  // by clue: the part of `ns` for which the clue is true
  std::uint32_t line = CallStacks::none;
};

Clues clues_of(const HolderClues& holders, const Holder& holder) {
  if (holder.task != no_index) return holders.of_task(holder.task);
  return holder.is_gap ? holders.of_gap(holder.step) : holders.of_step(holder.step);
}

CallSite added_up(Site&& site, const GraphNames& names) {
  CallSite& result = site.call_site;
  result.waited_ns = IntervalSet::union_of(std::move(site.waits)).length();
  result.threads.assign(site.threads.begin(), site.threads.end());
  Ns longest = never;
  for (auto& [chain, waits] : site.chains) {
    const Ns waited = IntervalSet::union_of(std::move(waits)).length();
    if (waited <= longest) continue;
    longest = waited;
    result.stack = names.stack(chain);
    result.forward_stack = names.forward_stack(chain);
    result.nameless = names.nameless(chain);
  }
  result.clues = clues_of(result.stack);
  result.clues.merge(clues_of_range(result.range));
  for (const auto& [clue, ns] : site.clues) {
    if (static_cast<double>(ns) > assumed::majority * static_cast<double>(site.ns)) {
      result.clues.insert(clue);
    }
  }
  return std::move(result);
}

// Corrects the clues that depend on all sites together. XLA writes the name of a compiled program
// into the NVTX ranges of this program's ops. If several programs have only one operation each,
// they come from a function that was not compiled as a whole.
//
//   Thunk:#name=jit(add)/add,hlo_op=wrapped_add...   Thunk:#name=jit(sin)/sin,hlo_op=wrapped_sin...
void add_clues_of_all(const Trace& trace, std::vector<CallSite>& sites) {
  std::set<std::string> programs;
  bool reduces = false;
  for (const CallSite& site : sites) {
    if (site.clues.contains(Clue::single_operations)) {
      programs.insert(site.range.substr(0, site.range.find('/')));
    }
    reduces = reduces || site.clues.contains(Clue::reduces_gradients);
  }
  const bool accumulates = reduces && accumulates_gradients(trace);
  for (CallSite& site : sites) {
    if (std::ssize(programs) < assumed::enough_examples) {
      site.clues.erase(Clue::single_operations);
    }
    if (accumulates) site.clues.insert(Clue::accumulates);
  }
}

}  // namespace

std::vector<CallSite> sites_of(const Sources& sources, Cause cause, const BlockedTasks& blocked) {
  const Graph& graph = sources.graph;
  const GraphNames names(sources);
  Places places(sources, cause);
  const HolderClues holder_clues(sources);
  std::set<std::uint32_t> lines;
  std::map<std::uint32_t, Site> sites;
  for (const BlockedTask& one : blocked.tasks) {
    Holder holder = holder_of(graph, blocked.parts_of(one));
    if (holder.task != no_index) holder.task = to_change(graph, cause, holder.task, one.task);
    if (holder.task == no_index && holder.step == no_index) continue;
    // If to_change() returned the waiting task itself, no other task waits for holder.task.
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
    const std::uint32_t call =
        holder.task != no_index ? names.call_of(holder.task) : graph.steps[holder.step].call;
    if (call != no_index) site.threads.insert(names.thread(call));
    const std::uint32_t chain = holder.task != no_index
                                    ? places.chain_of_holder(holder.task, waiting)
                                    : names.chain_of(call);
    Clues clues = clues_of(holder_clues, holder);
    if (cause == Cause::launch_overhead) clues.insert(Clue::dispatches);
    if (chain != CallStacks::none) lines.insert(site.line = sources.trace.stacks.place(chain));
    for (const Part& part : blocked.parts_of(one)) {
      site.ns += part.interval.length();
      for (const Clue clue : clues) site.clues[clue] += part.interval.length();
      site.waits.push_back(part.interval);
      if (chain != CallStacks::none) site.chains[chain].push_back(part.interval);
    }
  }
  std::vector<CallSite> result;
  lines.erase(CallStacks::none);
  const LineClues line_clues(sources, lines);
  for (auto& [place, site] : sites) {
    const Clues also = line_clues.of(site.line);
    result.push_back(added_up(std::move(site), names));
    result.back().clues.insert(also.begin(), also.end());
  }
  add_clues_of_all(sources.trace, result);
  std::ranges::sort(result, [](const CallSite& a, const CallSite& b) {
    return std::tie(b.waited_ns, a.what, a.range, a.line, a.caller) <
           std::tie(a.waited_ns, b.what, b.range, b.line, b.caller);
  });
  return result;
}

std::vector<Evidence> longest_waits(const Sources& sources, Cause cause,
                                    const BlockedTasks& blocked, std::size_t most) {
  std::vector<BlockedTask> longest = blocked.tasks;
  std::ranges::stable_sort(longest, std::greater(), &BlockedTask::ns);
  if (longest.size() > most) longest.resize(most);
  const GraphNames names(sources);
  Places places(sources, cause);
  std::vector<Evidence> result;
  for (const BlockedTask& one : longest) {
    const Task& task = sources.graph.tasks[one.task];
    // This duration is measured in the graph. The trace may have other times for the task.
    const Ns waited = sources.graph.times.tasks[one.task].start - one.since;
    const Holder holder = holder_of(sources.graph, blocked.parts_of(one));
    const std::uint32_t call = names.call_of(one.task);
    Evidence evidence;
    evidence.op_interval = sources.recorded_time_of(one.task);
    const Ns start = evidence.op_interval.start;
    evidence.waiting = {start - std::max<Ns>(0, waited), start};
    evidence.op = names.of_task(one.task);
    evidence.stream = recorded_stream(sources, task);
    if (holder.task != no_index) evidence.blocked_by = places[places.of_task(holder.task)].what;
    if (holder.step != no_index) {
      const auto place = holder.is_gap ? places.of_gap(holder.step) : places.of_step(holder.step);
      evidence.blocked_by = places[place].what;
    }
    evidence.holder = interval_of(sources, holder);
    if (call != no_index) evidence.call = names.function(call);
    evidence.thread = names.thread(call);
    evidence.range = names.range(names.range_around(call));
    evidence.line = names.line(names.chain_of(call));
    result.push_back(std::move(evidence));
  }
  return result;
}

}  // namespace lapscope::analyzer
