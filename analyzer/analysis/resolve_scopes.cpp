#include "analyzer/analysis/resolve_scopes.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "analyzer/model/limits.h"
#include "analyzer/model/name_pattern.h"
#include "analyzer/scope/profiler_brackets.h"

namespace lapscope::analyzer {
namespace {

std::map<std::string, std::vector<NvtxRange>> ranges_asked_for(const Trace& trace,
                                                               const AnalyzeOptions& options) {
  std::map<std::string, std::vector<NvtxRange>> asked;
  for (const NvtxRange& range : trace.ranges) {
    const std::string& name = trace.names.text(range.name);
    if (fits_any(name, options.ranges)) asked[name].push_back(range);
  }
  return asked;
}

// Returns the number of ops that start on any device in the window of a group.
std::size_t ops_meanwhile(const Trace& trace, ScopeGroup group) {
  if (group.empty()) return 0;
  const Interval window = window_of(group);
  std::ptrdiff_t ops = 0;
  for (const Device& device : trace.devices) {
    const auto& start = device.ops.start;
    ops += std::lower_bound(start.begin(), start.end(), window.end) -
           std::lower_bound(start.begin(), start.end(), window.start);
  }
  return static_cast<std::size_t>(ops);
}

// Returns the interval from the first to the last call that issued an op of a group.
Interval issue_of(const Trace& trace, ScopeGroup group) {
  Interval issued{latest_time, 0};
  for (const ResolvedScope& one : group) {
    const Ops& ops = trace.devices[one.device].ops;
    for (std::size_t i = 0; i < one.scope.ops.size(); ++i) {
      const Ns time = time_of_issue(ops, trace.calls, one.scope.ops[i]);
      issued.extend_to({time, time + 1});
    }
  }
  return issued;
}

}  // namespace

Context::Context(const Trace& read, const AnalyzeOptions& asked, CallCosts taken_off)
    : trace(read),
      options(asked),
      host(read),
      communication(communication_names(read.names, asked.communication)),
      costs(std::move(taken_off)),
      loops(read.devices.size()),
      busy_(read.devices.size()) {
  resolve_own();
  find_loops();
  if (options.profiler_brackets) resolve_brackets();
  if (!options.ranges.empty()) resolve_ranges();
  if (seeks_steady_state(options)) resolve_steady_state();
  for (auto& loop : loops) {
    if (loop) release(loop->host);  // one interval for each iteration, not needed any more
  }
}

Context::Context(const Trace& excerpt, const Context& whole, std::vector<ResolvedScope> chosen)
    : trace(excerpt),
      options(whole.options),
      host(excerpt),
      communication(whole.communication),
      costs(whole.costs),
      scopes(std::move(chosen)),
      loops(excerpt.devices.size()),
      busy_(excerpt.devices.size()) {}

void Context::resolve_own() {
  for (std::uint16_t d = 0; d < trace.devices.size(); ++d) {
    const Ops& ops = trace.devices[d].ops;
    if (ops.empty()) continue;
    if (!options.window) {
      scopes.push_back({ScopeKind::device, "", d, whole(ops)});
    } else if (auto scope = within(ops, *options.window)) {
      scopes.push_back({ScopeKind::window, "", d, std::move(*scope)});
    }
  }
  own_ = scopes.size();
}

void Context::add(ResolvedScope scope) {
  const bool leaves_out_ops = scope.scope.ops.size() < trace.devices[scope.device].ops.size();
  if (!leaves_out_ops) {
    scopes.push_back(std::move(scope));
    return;
  }
  auto& of_device = busy_[scope.device];
  if (!of_device) {
    of_device = std::make_shared<IntervalSet>(busy_of(trace.devices[scope.device].ops));
  }
  scope.scope.device_busy = of_device;
  scopes.push_back(std::move(scope));
}

void Context::resolve_brackets() {
  const ProfilerBrackets brackets = find_profiler_brackets(trace);
  for (std::size_t i = 0; i < own_; ++i) {
    const std::uint16_t d = scopes[i].device;
    if (auto scope = issued_while(trace.devices[d].ops, trace.calls, brackets.processes)) {
      add({ScopeKind::profiler,
           std::string(profiler_brackets),
           d,
           std::move(*scope),
           {},
           brackets.count});
    }
  }
}

void Context::resolve_ranges() {
  RangeWorkFinder finder(trace, options.range_threads);
  std::size_t all = 0;
  for (const Device& device : trace.devices) all += device.ops.size();
  std::size_t names = 0;
  std::size_t held = 0;       // ops of these names
  std::size_t explained = 0;  // ops that start in the time of these names
  const std::size_t most_explained = std::max(options.ops_explained, limits::times_explained * all);
  for (const auto& [name, ranges] : ranges_asked_for(trace, options)) {
    if (names == limits::range_names || held > limits::times_in_ranges * all ||
        explained > most_explained) {
      not_evaluated.push_back(name);
      continue;
    }
    std::vector<RangeWork> works = finder.work_of(ranges);
    ++names;
    for (const RangeWork& work : works) held += work.ops.size();
    const bool is_empty = std::all_of(works.begin(), works.end(),
                                      [](const RangeWork& work) { return work.ops.empty(); });
    if (is_empty) {
      UndecidedRange range{name};
      for (const RangeWork& work : works) range.ops += work.issuers.undecided;
      if (range.ops > 0) undecided.push_back(std::move(range));
    }
    const std::size_t first = scopes.size();
    for (std::size_t i = 0; i < own_; ++i) {
      const std::uint16_t d = scopes[i].device;
      if (auto scope = of_ops(trace.devices[d].ops, std::move(works[d].ops))) {
        add({ScopeKind::nvtx, name, d, std::move(*scope), ranges,
             static_cast<std::int64_t>(ranges.size()), works[d].issuers});
      }
    }
    if (options.find_causes) {
      explained += ops_meanwhile(trace, ScopeGroup(scopes).subspan(first));
    }
  }
}

void Context::find_loops() {
  for (std::size_t i = 0; i < own_; ++i) {
    const ResolvedScope& own = scopes[i];
    const Ops& ops = trace.devices[own.device].ops;
    loops[own.device] = options.iterations.empty()
                            ? find_iterations(trace, ops, own.scope, host, options.range_threads)
                            : iterations_named(trace, ops, own.scope, host, options.iterations,
                                               options.range_threads);
  }
}

void Context::resolve_steady_state() {
  auto found = find_steady_state(trace, host, options.range_threads, communication, loops,
                                 !options.iterations.empty());
  if (!found) return;
  for (std::uint16_t d = 0; d < found->scopes.size(); ++d) {
    if (!found->scopes[d]) continue;
    SteadyScope& one = *found->scopes[d];
    add({ScopeKind::steady, std::string(steady_state_name), d, std::move(one.scope),
         std::move(one.ranges), found->state.instances, one.issuers, std::move(one.borders),
         found->host_begin});
  }
  steady = std::move(found->state);
}

// Counts the ops with impossible times that may belong to a scope. For a whole device and for
// profiler brackets, counts all such ops of the device. For any other scope, counts an op if one of
// these conditions holds:
// - The op may have run in the scope's window.
// - The op's call is not known.
// - The op's call began while one of the scope's ranges was open.
// - The scope is a steady state that is a loop, and the op's call came after the begin of the
//   loop's warm-up.
// - The scope is a steady state that is not a loop.
std::int64_t impossible_ops_of(const Trace& trace, const ResolvedScope& scope) {
  const std::int64_t device = trace.devices[scope.device].id;
  const Interval window = scope.scope.window;
  const auto is_theirs = [&](const ImpossibleOp& op) {
    if (op.device != device) return false;
    if (scope.kind == ScopeKind::device || scope.kind == ScopeKind::profiler) return true;
    if (op.may_have_run.start < window.end && window.start < op.may_have_run.end) return true;
    if (op.call == no_index) return true;
    const Ns call = trace.calls.start[op.call];
    if (scope.kind == ScopeKind::steady && scope.host_begin.value_or(0) <= call) return true;
    return std::any_of(scope.ranges.begin(), scope.ranges.end(), [call](const NvtxRange& range) {
      return range.interval.start <= call && call < range.interval.end;
    });
  };
  return std::count_if(trace.impossible_ops.begin(), trace.impossible_ops.end(), is_theirs);
}

std::vector<ScopeGroup> scope_groups(const std::vector<ResolvedScope>& scopes) {
  std::vector<ScopeGroup> groups;
  for (std::size_t first = 0; first < scopes.size();) {
    std::size_t last = first;
    while (last < scopes.size() && scopes[last].kind == scopes[first].kind &&
           scopes[last].name == scopes[first].name) {
      ++last;
    }
    groups.push_back(ScopeGroup(scopes).subspan(first, last - first));
    first = last;
  }
  return groups;
}

Interval window_of(ScopeGroup group) {
  Interval window = group.front().scope.window;
  for (const ResolvedScope& one : group) window.extend_to(one.scope.window);
  return window;
}

Interval graph_interval(const Trace& trace, ScopeGroup group) {
  if (group.front().kind == ScopeKind::device) return {0, latest_time + 1};
  Interval issued = issue_of(trace, group);
  if (const auto& begin = group.front().host_begin) {
    issued.start = std::min(issued.start, *begin);
  }
  return issued;
}

Interval graph_interval_with_lead(const Trace& trace, ScopeGroup group) {
  Interval issued = graph_interval(trace, group);
  if (group.front().kind != ScopeKind::window) return issued;
  const Calls& calls = trace.calls;
  std::set<const Calls::Thread*> threads;
  Ns begin = issued.start;
  for (const ResolvedScope& one : group) {
    begin = std::min(begin, one.scope.window.start);
    const Ops& ops = trace.devices[one.device].ops;
    for (std::size_t i = 0; i < one.scope.ops.size(); ++i) {
      const std::uint32_t call = ops.issue[one.scope.ops[i]];
      if (call != no_index) threads.insert(&calls.threads[calls.thread_of(call)]);
    }
  }
  for (const Calls::Thread* thread : threads) {
    const auto first = calls.start.begin() + thread->first;
    const auto after = std::lower_bound(first, calls.start.begin() + thread->last, begin);
    if (after != first) issued.start = std::min(issued.start, *std::prev(after));
  }
  return issued;
}

}  // namespace lapscope::analyzer
