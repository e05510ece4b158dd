#include "analyzer/analysis/recorder_doubts.h"

#include <algorithm>
#include <cmath>

#include "analyzer/findings/find_causes.h"
#include "analyzer/model/assumptions.h"
#include "analyzer/model/call_costs.h"
#include "analyzer/model/evidence.h"
#include "analyzer/model/rules.h"

namespace lapscope::analyzer {
namespace {

double added(std::int64_t recorded_ns, std::int64_t corrected_ns) {
  return static_cast<double>(recorded_ns) /
             static_cast<double>(std::max<std::int64_t>(corrected_ns, 1)) -
         1;
}

// Of a corrected scope: whether what was taken off is not known to fit.
bool is_in_doubt(const Correction& correction) {
  if (correction.bare_error) {
    return std::abs(*correction.bare_error) > assumed::most_unaccounted;
  }
  return correction.calibrated.empty() &&
         added(correction.recorded_ns, correction.corrected_ns) > assumed::large_part;
}

// Whether all that the calls of a scope cost is more than recording may add. It adds no more than
// that: much of it is hidden behind the device, or in threads that nothing waits for.
bool may_add_much(const Graph& graph, const std::vector<Charge>& charges, const GraphScope& scope) {
  std::int64_t all = 0;
  for (std::size_t s = 0; s < charges.size(); ++s) {
    const Step& step = graph.steps[s];
    if (step.end <= scope.window.start || step.start >= scope.window.end) continue;
    all += charges[s].call + charges[s].before;
  }
  const std::int64_t wall = scope.window.length();
  return wall > 0 && added(wall, wall - std::min(all, wall)) > assumed::large_part;
}

bool is_found(const CausesResult& result, std::string_view code) {
  return std::any_of(result.findings.begin(), result.findings.end(),
                     [code](const FindingResult& finding) { return finding.code == code; });
}

bool comes_first_both_ways(const CausesResult& reported, const CausesResult& other) {
  if (reported.findings.empty() != other.findings.empty()) return false;
  if (!reported.findings.empty()) {
    return is_found(reported, other.findings.front().code) &&
           is_found(other, reported.findings.front().code);
  }
  if (reported.blame.empty() || other.blame.empty()) return true;
  return reported.blame.front().code == other.blame.front().code;
}

void leave_open(const CausesResult& other, CausesResult& reported) {
  const bool is_same = comes_first_both_ways(reported, other);
  const bool has_findings = !reported.findings.empty() || !other.findings.empty();
  const auto comes_first = [&](std::string_view code) {
    return !has_findings &&
           (reported.blame.front().code == code || other.blame.front().code == code);
  };
  for (std::size_t i = 0; i < reported.looked_for.size(); ++i) {
    LookedFor& one = reported.looked_for[i];
    const bool is_doubtful = one.is_found != other.looked_for[i].is_found;
    const bool is_open = !is_same && (is_doubtful || comes_first(one.code));
    if (!is_doubtful && !is_open) continue;
    one.missing.push_back(bare_runs);
    one.leaves_open |= is_open;
  }
  std::erase_if(reported.advice, [&other](const Advice& advice) {
    return std::none_of(other.advice.begin(), other.advice.end(),
                        [&advice](const Advice& one) { return one.step() == advice.step(); });
  });
}

using Indices = std::vector<std::size_t>;

// `again`: the scopes of `doubted` in another graph.
void leave_open(const Sources& sources, const std::vector<GraphScope>& again,
                const Indices& doubted, CauseOptions options, std::vector<CausesResult>& results) {
  options.progress = nullptr;  // the steps are those of the first time
  const std::vector<CausesResult> others = find_causes(sources, again, options);
  for (std::size_t k = 0; k < doubted.size(); ++k) leave_open(others[k], results[doubted[k]]);
}

// Of scopes that are reported as they were recorded: those to which recording may add much, and the
// run without what that typically is.
struct Estimate {
  Indices scopes;
  std::vector<double> added;  // of each of these
  std::vector<Charge> charges;
  WithoutRecorder without;
  std::vector<GraphScope> moved;  // of each of these
};

std::optional<Estimate> estimate_of(const Trace& trace, const Graph& recorded,
                                    const std::vector<GraphScope>& scopes) {
  const CallCosts costs = typical_costs();
  std::vector<Charge> charges = charges_of(trace, costs, recorded);
  Indices asked;
  for (std::size_t i = 0; i < scopes.size(); ++i) {
    if (scopes[i].tasks.empty() || !may_add_much(recorded, charges, scopes[i])) continue;
    asked.push_back(i);
  }
  if (asked.empty()) return std::nullopt;
  Estimate estimate;
  estimate.without = *without_recorder(costs, charges, recorded);
  estimate.charges = std::move(charges);
  for (const std::size_t i : asked) {
    GraphScope moved = scopes[i];
    moved.window = window_of(moved, estimate.without.times);
    const double share = added(scopes[i].window.length(), moved.window.length());
    if (share <= assumed::large_part) continue;
    estimate.scopes.push_back(i);
    estimate.added.push_back(share);
    estimate.moved.push_back(std::move(moved));
  }
  if (estimate.scopes.empty()) return std::nullopt;
  return estimate;
}

}  // namespace

std::vector<std::optional<double>> estimated_added(const Trace& trace, const JudgedGraph& graph,
                                                   const std::vector<GraphScope>& recorded) {
  std::vector<std::optional<double>> all(recorded.size());
  if (graph.is_corrected()) return all;
  const auto estimate = estimate_of(trace, graph.recorded(), recorded);
  if (!estimate) return all;
  for (std::size_t k = 0; k < estimate->scopes.size(); ++k) {
    all[estimate->scopes[k]] = estimate->added[k];
  }
  return all;
}

void leave_doubts_open(const Context& context, const JudgedGraph& graph,
                       const std::vector<GraphScope>& recorded,
                       std::vector<CausesResult>& results) {
  if (!rule::recorder_doubts) return;
  const Trace& trace = context.trace;
  const CauseOptions& options = context.options.causes;
  if (!graph.is_corrected()) {
    const auto estimate = estimate_of(trace, graph.recorded(), recorded);
    if (!estimate) return;
    for (std::size_t k = 0; k < estimate->scopes.size(); ++k) {
      results[estimate->scopes[k]].estimated_added = estimate->added[k];
    }
    const Sources without{trace, context.host, estimate->without.graph, &graph.recorded(),
                          estimate->charges};
    leave_open(without, estimate->moved, estimate->scopes, options, results);
    return;
  }
  Indices doubted;
  std::vector<GraphScope> again;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const auto& correction = results[i].correction;
    if (!correction || !is_in_doubt(*correction)) continue;
    doubted.push_back(i);
    again.push_back(recorded[i]);
  }
  if (doubted.empty()) return;
  leave_open({trace, context.host, graph.recorded()}, again, doubted, options, results);
}

}  // namespace lapscope::analyzer
