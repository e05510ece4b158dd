#include "analyzer/ranks/run_result.h"

#include <algorithm>

namespace lapscope::analyzer {

std::string_view code_of(RunDefect defect) {
  switch (defect) {
    case RunDefect::several_runs:
      return "several-runs";
    case RunDefect::different_sizes:
      return "different-sizes";
    case RunDefect::rank_twice:
      return "rank-twice";
    case RunDefect::rank_missing:
      return "rank-missing";
    case RunDefect::no_clock:
      return "no-clock";
    case RunDefect::unknown_clock:
      return "unknown-clock";
    case RunDefect::contradicted_clock:
      return "contradicted-clock";
    case RunDefect::unmatched_collectives:
      break;
  }
  return "unmatched-collectives";
}

std::string_view code_of(RunCause cause) {
  switch (cause) {
    case RunCause::straggler:
      return "straggler";
    case RunCause::pipeline_bubble:
      return "pipeline-bubble";
    case RunCause::small_collectives:
      return "small-collectives";
    case RunCause::exposed_communication:
      break;
  }
  return "exposed-communication";
}

std::string_view name_of(LateBy by) {
  switch (by) {
    case LateBy::computing:
      return "computing";
    case LateBy::idle:
      return "idle";
    case LateBy::turns:
      break;
  }
  return "turns";
}

std::string_view name_of(RunWindow window) {
  switch (window) {
    case RunWindow::steps:
      return "steps";
    case RunWindow::steady:
      return "steady";
    case RunWindow::whole:
      break;
  }
  return "whole";
}

std::optional<RunCause> run_cause_of_code(std::string_view code) {
  const auto* found = std::find_if(run_causes.begin(), run_causes.end(),
                                   [&](RunCause cause) { return code_of(cause) == code; });
  return found == run_causes.end() ? std::nullopt : std::optional(*found);
}

bool is_question(RunCause cause) {
  return cause == RunCause::small_collectives || cause == RunCause::exposed_communication;
}

const RunFinding* first_of(const RunResult& run) {
  const RunFinding* finding = run.findings.empty() ? nullptr : &run.findings.front();
  const RunFinding* question = run.questions.empty() ? nullptr : &run.questions.front();
  if (finding == nullptr || question == nullptr) return finding ? finding : question;
  return question->saving > finding->saving ? question : finding;
}

Verdict verdict_of(const RunResult& run) {
  const bool is_open = std::any_of(run.ranks.begin(), run.ranks.end(), [](const RankResult& rank) {
    return rank.trust == Trust::inconclusive;
  });
  if (is_open || !run.defects.empty()) return Verdict::inconclusive;
  if (!run.findings.empty()) return Verdict::findings;
  return run.questions.empty() ? Verdict::ok : Verdict::possible;
}

}  // namespace lapscope::analyzer
