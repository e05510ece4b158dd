#include "analyzer/analysis/fitted_costs.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <numeric>
#include <string_view>

#include "analyzer/analysis/bare_wall.h"
#include "analyzer/analysis/correction.h"
#include "analyzer/analysis/host_clock.h"
#include "analyzer/analysis/iteration_pace.h"
#include "analyzer/graph/build_graph.h"
#include "analyzer/model/assumptions.h"
#include "analyzer/model/call_costs.h"
#include "analyzer/model/rules.h"
#include "analyzer/replay/without_recorder.h"

namespace lapscope::analyzer {
namespace {

// Returns recorded NVTX ranges of one name. Of the names that also occur in bare runs, chooses the
// name with the longest open time. Returns nullopt if there is no such name.
std::optional<ComparedRanges> longest_compared(const Trace& trace) {
  std::map<std::string_view, std::vector<NvtxRange>> by_name;
  for (const RunTime& run : trace.runs) {
    if (!run.is_recorded && run.range) by_name.try_emplace(*run.range);
  }
  for (const NvtxRange& range : trace.ranges) {
    const auto named = by_name.find(trace.names.text(range.name));
    if (named != by_name.end()) named->second.push_back(range);
  }
  std::optional<ComparedRanges> longest;
  for (auto& [name, ranges] : by_name) {
    if (ranges.empty()) continue;
    const BareWall bare = compared_with_bare_runs(trace, ranges);
    if (!bare.reason.empty() || bare.median_ns <= 0) continue;
    if (longest && longest->bare.recorded_ns >= bare.recorded_ns) continue;
    longest = ComparedRanges{std::move(ranges), bare};
  }
  return longest;
}

Interval interval_of(const std::vector<NvtxRange>& ranges) {
  Interval all = ranges.front().interval;
  for (const NvtxRange& range : ranges) all.extend_to(range.interval);
  return all;
}

CallCosts times(CallCosts costs, double factor) {
  const auto multiply = [factor](auto& times) {
    for (auto& [kind, ns] : times) {
      ns = std::llround(factor * static_cast<double>(ns));
    }
  };
  multiply(costs.ns);
  multiply(costs.spread_ns);
  costs.factor = factor;
  return costs;
}

// Computes how long the ranges take if costs of recording are subtracted from the calls.
class CostFit {
 public:
  // `time_of` is open_time() or total_length(): the function that computed the times in
  // `compared.bare`.
  CostFit(const Trace& trace, const std::vector<bool>& communication,
          const ComparedRanges& compared, Ns (*time_of)(const std::vector<NvtxRange>&),
          double most_factor)
      : trace_(trace),
        compared_(compared),
        time_of_(time_of),
        most_factor_(most_factor),
        recorded_(build_graph(trace, interval_of(compared.ranges), communication)),
        tasks_(recorded_.tasks.size()) {
    std::iota(tasks_.begin(), tasks_.end(), std::uint32_t{0});
  }

  std::optional<Ns> time_without(const CallCosts& costs) const {
    const auto without = without_recorder(costs, charges_of(trace_, costs, recorded_), recorded_);
    const auto ranges = corrected_ranges(recorded_, without->times, tasks_, compared_.ranges);
    if (!ranges) return std::nullopt;
    return time_of_(*ranges);
  }

  struct Fitted {
    CallCosts costs;
    Ns left_ns = 0;  // the time of the ranges in ns if these costs are subtracted
  };
  // Returns `costs`, or a multiple of `costs` that brings the ranges closer to their time in the
  // bare runs. `left`: the time of the ranges in ns if `costs` are subtracted.
  Fitted fitted(const CallCosts& costs, Ns left) const {
    const BareWall& bare = compared_.bare;
    const Ns misfit = std::abs(left - bare.median_ns);
    const bool is_in_range = left >= bare.least_ns && left <= bare.most_ns;
    const Share share = static_cast<double>(misfit) / static_cast<double>(bare.median_ns);
    if (is_in_range || share < assumed::least_saving) return {costs, left};
    CallCosts changed = times(costs, factor_for(costs, left));
    const Ns left_then = time_without(changed).value_or(bare.recorded_ns);
    if (2 * std::abs(left_then - bare.median_ns) > misfit) return {costs, left};
    return {std::move(changed), left_then};
  }

 private:
  // Returns the factor by which to multiply `costs`, so that the ranges take as long as in the
  // median bare run. If no allowed factor does this, returns the nearest allowed factor. With a
  // factor of 1, the ranges take `left` ns.
  double factor_for(const CallCosts& costs, Ns left) const {
    const Ns wanted = compared_.bare.median_ns;
    double near = 1;
    double far = left > wanted ? most_factor_ : 1 / static_cast<double>(assumed::uneven);
    const auto missing = [&](double factor) {
      return static_cast<double>(time_without(times(costs, factor)).value_or(left) - wanted);
    };
    auto near_missing = static_cast<double>(left - wanted);
    double far_missing = missing(far);
    // The device's work hides a part of the costs. So the subtracted time is not proportional to
    // the factor. Linear interpolation finds the factor step by step.
    constexpr int rounds = 5;
    for (int round = 0; round < rounds && near_missing * far_missing < 0; ++round) {
      const double between = near + (far - near) * near_missing / (near_missing - far_missing);
      const double between_missing = missing(between);
      const bool is_near = between_missing * far_missing < 0;
      (is_near ? near : far) = between;
      (is_near ? near_missing : far_missing) = between_missing;
    }
    return std::abs(near_missing) < std::abs(far_missing) ? near : far;
  }

  const Trace& trace_;
  const ComparedRanges& compared_;
  Ns (*const time_of_)(const std::vector<NvtxRange>&);
  const double most_factor_;
  const Graph recorded_;
  std::vector<std::uint32_t> tasks_;
};

}  // namespace

CallCosts fitted_costs(const Trace& trace, const AnalyzeOptions& options) {
  if (!options.find_causes) return {};
  const CallCosts known = costs_to_take_off(trace);
  if (!rule::fitted_costs || !rule::correction) return known;
  auto compared = longest_compared(trace);
  const bool is_of_iterations = !compared;
  if (is_of_iterations) compared = paced_iterations(trace);
  if (!compared) return known;
  if (size_of_replay(trace, interval_of(compared->ranges)) > options.most_replayed) return known;
  const CallCosts costs = known.empty() ? typical_costs() : known;
  const double most_factor = (is_of_iterations ? assumed::uneven : 1) * assumed::uneven;
  const CostFit fit(trace, communication_names(trace.names, options.communication), *compared,
                    is_of_iterations ? total_length : open_time, most_factor);
  const auto left = fit.time_without(costs);
  if (!left) return known;
  CostFit::Fitted fitted = fit.fitted(costs, *left);
  if (is_of_iterations) {
    const auto bare = static_cast<double>(compared->bare.median_ns);
    fitted.costs.iterations_error = static_cast<double>(fitted.left_ns) / std::max(bare, 1.0) - 1;
  }
  return std::move(fitted.costs);
}

}  // namespace lapscope::analyzer
