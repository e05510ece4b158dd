#include "analyzer/analysis/steady_state.h"

#include <algorithm>
#include <array>
#include <map>

#include "analyzer/graph/constraint.h"
#include "analyzer/iterations/range_nesting.h"
#include "analyzer/model/assumptions.h"
#include "analyzer/scope/profiler_brackets.h"

namespace lapscope::analyzer {

std::string_view name_of(SteadyBy by) {
  constexpr std::string_view names[] = {"profiler", "iterations", "range"};
  static_assert(std::size(names) == static_cast<std::size_t>(SteadyBy::range) + 1);
  return names[static_cast<std::size_t>(by)];
}

namespace {

// Returns the sum of the durations of ops. Leaves out kernels that communicate.
Ns work_of(const Ops& ops, const OpSet& members, const std::vector<bool>& communication = {}) {
  Ns sum = 0;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (communicates(communication, ops.name[members[i]])) continue;
    sum += ops.interval(members[i]).length();
  }
  return sum;
}

Ns all_work(const Trace& trace, const std::vector<bool>& communication = {}) {
  Ns sum = 0;
  for (const Device& device : trace.devices) {
    sum += work_of(device.ops, OpSet::all_of(device.ops), communication);
  }
  return sum;
}

// Sets `work_share` in `found`, and returns `found`. Returns empty if no device has a scope.
std::optional<FoundSteadyState> finished(const Trace& trace, FoundSteadyState found) {
  Ns work = 0;
  bool is_any = false;
  for (std::size_t d = 0; d < found.scopes.size(); ++d) {
    if (!found.scopes[d]) continue;
    is_any = true;
    work += work_of(trace.devices[d].ops, found.scopes[d]->scope.ops);
  }
  if (!is_any) return std::nullopt;
  found.state.work_share = portion(work, all_work(trace));
  return found;
}

std::optional<FoundSteadyState> between_brackets(const Trace& trace) {
  const ProfilerBrackets brackets = find_profiler_brackets(trace);
  if (brackets.count == 0) return std::nullopt;
  FoundSteadyState found{{SteadyBy::profiler, brackets.count}, {}, {}};
  for (const Device& device : trace.devices) {
    auto scope = issued_while(device.ops, trace.calls, brackets.processes);
    found.scopes.emplace_back();
    if (scope) found.scopes.back() = SteadyScope{std::move(*scope)};
  }
  return finished(trace, std::move(found));
}

FoundSteadyState in_loop(const Trace& trace, std::size_t device, const Iterations& loop) {
  const std::size_t warm_up = warm_up_of(loop);
  Interval all = loop.host.front();
  Interval judged = loop.host[warm_up];
  for (std::size_t i = 0; i < loop.host.size(); ++i) {
    all.extend_to(loop.host[i]);
    if (i >= warm_up) judged.extend_to(loop.host[i]);
  }
  FoundSteadyState found{
      {SteadyBy::iterations, static_cast<std::int64_t>(loop.host.size() - warm_up),
       static_cast<std::int64_t>(warm_up), 0, loop.range, loop.sequence},
      {},
      all.start};
  for (const Device& one : trace.devices) {
    auto scope = issued_between(one.ops, trace.calls, judged);
    found.scopes.emplace_back();
    if (scope) found.scopes.back() = SteadyScope{std::move(*scope)};
  }
  if (found.scopes[device]) {
    found.scopes[device]->borders.assign(
        loop.borders.begin() + static_cast<std::ptrdiff_t>(warm_up), loop.borders.end());
  }
  return found;
}

// The devices of one program run the same loop. So the loops of all devices are compared, and the
// one with the most ops is used.
std::optional<FoundSteadyState> in_loops(const Trace& trace,
                                         const std::vector<std::optional<Iterations>>& loops,
                                         bool is_named) {
  std::optional<std::size_t> most;
  std::int64_t most_ops = 0;
  for (std::size_t d = 0; d < loops.size(); ++d) {
    if (!loops[d]) continue;
    std::int64_t ops = 0;
    for (const std::int64_t of_one : loops[d]->ops) ops += of_one;
    if (most && ops <= most_ops) continue;
    most = d;
    most_ops = ops;
  }
  if (!most) return std::nullopt;
  FoundSteadyState found = in_loop(trace, *most, *loops[*most]);
  std::size_t judged = 0;
  std::size_t all = 0;
  for (std::size_t d = 0; d < trace.devices.size(); ++d) {
    if (found.scopes[d]) judged += found.scopes[d]->scope.ops.size();
    all += trace.devices[d].ops.size();
  }
  const double least = assumed::majority * static_cast<double>(all);
  if (!is_named && static_cast<double>(judged) < least) return std::nullopt;
  return finished(trace, std::move(found));
}

// The NVTX ranges whose names differ only in digits.
struct Marked {
  std::vector<NvtxRange> ranges;
  Ns work = 0;               // of these ranges, and of ranges inside them
  bool is_outermost = true;  // none lies in a range of another name
};

using MarkedByName = std::map<std::string, Marked>;

// Returns the ranges with work, by name. Considers only ranges for which counts(range) is true.
// Skips all other ranges, even if they contain a returned range.
template <class F>
MarkedByName marked_by_name(const Trace& trace, const RangeNesting& nesting,
                            const std::vector<Ns>& work, F&& counts) {
  RangePatterns patterns(trace);
  MarkedByName all;
  for (std::uint32_t range = 0; range < work.size(); ++range) {
    if (work[range] == 0 || !counts(trace.ranges[range])) continue;
    Marked& marked = all[patterns.of(range)];
    std::uint32_t outer = nesting.around(range);
    while (outer != no_index && !counts(trace.ranges[outer])) outer = nesting.around(outer);
    if (outer != no_index && patterns.of(outer) != patterns.of(range)) marked.is_outermost = false;
    if (outer == no_index) marked.work += work[range];
    marked.ranges.push_back(trace.ranges[range]);
  }
  return all;
}

// Of the names whose ranges are outermost, returns the name with the most work. Returns null if
// this work is less than half of the work of all these names, or less than `least` ns.
const MarkedByName::value_type* largest(const MarkedByName& all, double least) {
  const MarkedByName::value_type* most = nullptr;
  Ns sum = 0;
  for (const auto& marked : all) {
    if (!marked.second.is_outermost) continue;
    sum += marked.second.work;
    if (!most || marked.second.work > most->second.work) most = &marked;
  }
  if (!most) return nullptr;
  const auto work = static_cast<double>(most->second.work);
  const bool is_most = work >= assumed::majority * static_cast<double>(sum);
  return is_most && work >= least ? most : nullptr;
}

std::optional<FoundSteadyState> in_ranges(const Trace& trace, const HostTimeline& host,
                                          RangeThreads threads,
                                          const std::vector<bool>& communication) {
  if (trace.ranges.empty()) return std::nullopt;
  const RangeNesting nesting(trace, host, threads);
  std::vector<Ns> work = work_by_range(trace, nesting);
  const auto all = static_cast<double>(all_work(trace));
  MarkedByName marked = marked_by_name(trace, nesting, work,
                                       [](const NvtxRange& range) { return range.domain == 0; });
  const MarkedByName::value_type* most = largest(marked, assumed::hardly_any * all);
  if (!most) {
    work = work_by_range(trace, nesting, communication);
    // Libraries leave some ranges open. So ranges that were never closed are ignored.
    marked = marked_by_name(trace, nesting, work, [](const NvtxRange& range) {
      return range.domain != 0 && range.interval.end < latest_time;
    });
    most = largest(marked, assumed::majority * static_cast<double>(all_work(trace, communication)));
  }
  if (!most) return std::nullopt;
  const std::vector<NvtxRange>& ranges = most->second.ranges;
  FoundSteadyState found{
      {SteadyBy::range, static_cast<std::int64_t>(ranges.size()), 0, 0, most->first}, {}, {}};
  std::vector<RangeWork> works = RangeWorkFinder(trace, threads).work_of(ranges);
  for (std::size_t d = 0; d < trace.devices.size(); ++d) {
    auto scope = of_ops(trace.devices[d].ops, std::move(works[d].ops));
    found.scopes.emplace_back();
    if (scope) found.scopes.back() = SteadyScope{std::move(*scope), ranges, works[d].issuers};
  }
  return finished(trace, std::move(found));
}

// Returns, for each cause, the time in which at least one thread was in a call of that cause.
// Considers only the time in `stretch`. The time to load modules counts for the cause module-load.
std::vector<Rest::Part> parts_within(const Trace& trace, Interval stretch) {
  std::array<std::vector<Interval>, cause_count> times;
  const auto add = [&](Cause cause, Interval interval) {
    times[static_cast<std::size_t>(cause)].push_back(interval.within(stretch));
  };
  const Calls& calls = trace.calls;
  for (const Calls::Thread& thread : calls.threads) {
    for (std::uint32_t call = thread.first; call < thread.last && calls.start[call] < stretch.end;
         ++call) {
      if (calls.end[call] <= stretch.start) continue;
      add(cause_of_call(calls.kind[call]), calls.interval(call));
    }
  }
  for (const Overhead& overhead : trace.overheads) {
    if (overhead.kind == OverheadKind::module_load) add(Cause::module_load, overhead.interval);
  }
  std::vector<Rest::Part> parts;
  for (std::size_t cause = 0; cause < cause_count; ++cause) {
    const Ns ns = IntervalSet::union_of(std::move(times[cause])).length();
    if (ns > 0) parts.push_back({code_of(static_cast<Cause>(cause)), ns});
  }
  std::stable_sort(parts.begin(), parts.end(),
                   [](const Rest::Part& a, const Rest::Part& b) { return a.ns > b.ns; });
  return parts;
}

}  // namespace

std::optional<FoundSteadyState> find_steady_state(
    const Trace& trace, const HostTimeline& host, RangeThreads threads,
    const std::vector<bool>& communication, const std::vector<std::optional<Iterations>>& loops,
    bool is_named) {
  if (is_named) return in_loops(trace, loops, is_named);
  if (auto found = between_brackets(trace)) return found;
  if (auto found = in_loops(trace, loops, is_named)) return found;
  return in_ranges(trace, host, threads, communication);
}

Rest rest_before(const Trace& trace, Ns time) {
  Ns first = time;
  for (const Calls::Thread& thread : trace.calls.threads) {
    if (thread.first < thread.last) first = std::min(first, trace.calls.start[thread.first]);
  }
  for (const Device& device : trace.devices) {
    if (!device.ops.empty()) first = std::min(first, device.ops.start.front());
  }
  return {time - first, parts_within(trace, {first, time})};
}

Rest rest_after(const Trace& trace, Ns time) {
  Ns last = time;
  for (const Calls::Thread& thread : trace.calls.threads) {
    if (thread.first < thread.last) last = std::max(last, trace.calls.end[thread.last - 1]);
  }
  for (const Device& device : trace.devices) {
    for (const Ns end : device.ops.end) last = std::max(last, end);
  }
  return {last - time, parts_within(trace, {time, last})};
}

}  // namespace lapscope::analyzer
