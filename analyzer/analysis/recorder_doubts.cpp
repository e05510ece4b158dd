#include "analyzer/analysis/recorder_doubts.h"

#include <algorithm>
#include <cmath>

#include "analyzer/model/assumptions.h"
#include "analyzer/model/call_costs.h"
#include "analyzer/model/evidence.h"
#include "analyzer/model/rules.h"

namespace lapscope::analyzer {
namespace {

double added(Ns recorded_ns, Ns corrected_ns) {
  return static_cast<double>(recorded_ns) /
             static_cast<double>(std::max<std::int64_t>(corrected_ns, 1)) -
         1;
}

// Whether the time that was subtracted from a scope is in doubt. Bare runs or unrecorded iterations
// can contradict this time. Without such runs or iterations, the time is in doubt if it is large
// and does not come from a calibration.
bool is_in_doubt(const Correction& correction) {
  const auto& error = correction.bare_error ? correction.bare_error : correction.iterations_error;
  if (error) return std::abs(*error) > assumed::most_unaccounted;
  return correction.calibrated.empty() &&
         added(correction.recorded_ns, correction.corrected_ns) > assumed::large_part;
}

// Whether recording may add more than assumed::large_part to a scope. The sum of all charges is an
// upper limit of the added time, because some charges delay no op.
bool may_add_much(const Graph& graph, const std::vector<Charge>& charges, const GraphScope& scope) {
  Ns all = 0;
  for (std::size_t s = 0; s < charges.size(); ++s) {
    const Interval& step = graph.times.steps[s];
    if (step.end <= scope.window.start || step.start >= scope.window.end) continue;
    all += charges[s].call + charges[s].before;
  }
  const Ns wall = scope.window.length();
  return wall > 0 && added(wall, wall - std::min(all, wall)) > assumed::large_part;
}

// Marks the findings that save at most `recorder_ns`, because the recorder may have caused them.
void require_bare_runs(Ns recorder_ns, CausesResult& result) {
  for (std::size_t i = 0; i < result.findings.size(); ++i) {
    const FindingResult& finding = result.findings[i];
    if (finding.saving_ns > recorder_ns) continue;
    LookedFor& answer = *std::ranges::find(result.looked_for, finding.code, &LookedFor::code);
    answer.missing.push_back(bare_runs);
    answer.leaves_open |= i == 0;
  }
}

}  // namespace

std::vector<std::optional<double>> estimated_added(const Trace& trace, const CorrectedGraph& graph,
                                                   const std::vector<GraphScope>& recorded) {
  std::vector<std::optional<double>> all(recorded.size());
  if (graph.is_corrected()) return all;
  const CallCosts costs = typical_costs();
  const std::vector<Charge> charges = charges_of(trace, costs, graph.recorded());
  std::optional<Graph> without;
  for (std::size_t i = 0; i < recorded.size(); ++i) {
    const GraphScope& scope = recorded[i];
    if (scope.tasks.empty() || !may_add_much(graph.recorded(), charges, scope)) continue;
    if (!without) without = without_recorder(costs, charges, graph.recorded());
    const Ns left = window_of(scope, without->times).length();
    const Share share = added(scope.window.length(), left);
    if (share > assumed::large_part) all[i] = share;
  }
  return all;
}

void leave_doubts_open(const Trace& trace, const CorrectedGraph& graph,
                       const std::vector<GraphScope>& recorded,
                       std::vector<CausesResult>& results) {
  if (!rule::recorder_doubts) return;
  const auto estimated = estimated_added(trace, graph, recorded);
  for (std::size_t i = 0; i < results.size(); ++i) {
    CausesResult& result = results[i];
    result.estimated_added = estimated[i];
    if (estimated[i]) {
      const auto wall = static_cast<double>(recorded[i].window.length());
      require_bare_runs(std::llround(wall - wall / (1 + *estimated[i])), result);
    } else if (result.correction && is_in_doubt(*result.correction)) {
      require_bare_runs(result.correction->recorded_ns - result.correction->corrected_ns, result);
    }
  }
}

}  // namespace lapscope::analyzer
