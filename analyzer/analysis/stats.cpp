#include "analyzer/analysis/stats.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "analyzer/analysis/op_tables.h"
#include "analyzer/intervals/median.h"

namespace lapscope::analyzer {
namespace {

bool is_own(const ResolvedScope& scope) {
  return scope.kind == ScopeKind::device || scope.kind == ScopeKind::window;
}

std::vector<ResolvedScope> scopes_to_show(const std::vector<ResolvedScope>& all) {
  std::vector<ResolvedScope> shown;
  for (const ResolvedScope& scope : all) {
    const bool stands_aside =
        is_own(scope) && std::any_of(all.begin(), all.end(), [&scope](const ResolvedScope& other) {
          return other.device == scope.device && !is_own(other);
        });
    if (!stands_aside) shown.push_back(scope);
  }
  return shown;
}

// Returns the interval whose calls are listed for a group. For a window, it is the window. For any
// other group, it is graph_interval(), extended until all work of the group has ended.
Interval time_of_calls(const Trace& trace, ScopeGroup group, Interval window) {
  if (group.front().kind == ScopeKind::window) return window;
  const Interval issued = graph_interval(trace, group);
  return {issued.start, std::max(issued.end, window.end)};
}

// Returns the outermost calls in an interval, by function. Only the parts in the interval count.
std::vector<StatsRow> calls_in(const Trace& trace, Interval time) {
  const Calls& calls = trace.calls;
  std::map<std::uint32_t, std::vector<std::int64_t>> by_name;
  for (const Calls::Thread& thread : calls.threads) {
    for (std::uint32_t call = thread.first; call < thread.last; ++call) {
      if (calls.start[call] >= time.end) break;
      if (calls.start[call] < time.start && calls.end[call] <= time.start) continue;
      by_name[calls.name[call]].push_back(calls.interval(call).within(time).length());
    }
  }
  // Different ids may stand for the same function.
  std::map<std::string, std::vector<std::int64_t>> by_function;
  for (auto& [name, each] : by_name) {
    auto& all = by_function[function_name(trace.names.text(name))];
    all.insert(all.end(), each.begin(), each.end());
  }
  std::vector<StatsRow> rows;
  for (auto& [function, each] : by_function) {
    rows.push_back({function, std::nullopt, durations_of(std::move(each))});
  }
  return rows;
}

void sort_by_time(std::vector<StatsRow>& rows) {
  std::stable_sort(rows.begin(), rows.end(), [](const StatsRow& a, const StatsRow& b) {
    return a.durations.sum_ns > b.durations.sum_ns;
  });
}

}  // namespace

Durations durations_of(std::vector<std::int64_t> each) {
  Durations result;
  result.count = static_cast<std::int64_t>(each.size());
  for (const Ns ns : each) result.sum_ns += ns;
  const auto [least, most] = std::minmax_element(each.begin(), each.end());
  result.least_ns = *least;
  result.most_ns = *most;
  double squares = 0;
  for (const Ns ns : each) {
    const double off = static_cast<double>(ns) - result.average_ns();
    squares += off * off;
  }
  if (result.count > 1) {
    result.deviation_ns = std::sqrt(squares / static_cast<double>(result.count - 1));
  }
  result.median_ns = median_of(each);
  return result;
}

std::vector<ScopeStats> stats_of(const Context& context) {
  const Trace& trace = context.trace;
  const std::vector<ResolvedScope> shown = scopes_to_show(context.scopes);
  std::vector<ScopeStats> stats;
  for (const ScopeGroup group : scope_groups(shown)) {
    ScopeStats of_scope{group.front().kind, group.front().name, window_of(group)};
    for (const ResolvedScope& one : group) {
      for (TimedGroup& timed : timed_groups_of(trace, trace.devices[one.device], one.scope)) {
        StatsRow row{timed.group.name, trace.devices[one.device].id,
                     durations_of(std::move(timed.each_ns)), timed.group.bytes,
                     timed.group.bytes_per_s};
        (timed.is_kernel ? of_scope.kernels : of_scope.copies).push_back(std::move(row));
      }
    }
    of_scope.calls = calls_in(trace, time_of_calls(trace, group, of_scope.window));
    for (auto* rows : {&of_scope.kernels, &of_scope.copies, &of_scope.calls}) sort_by_time(*rows);
    stats.push_back(std::move(of_scope));
  }
  return stats;
}

}  // namespace lapscope::analyzer
