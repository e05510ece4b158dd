#include "analyzer/ranks/run_result.h"

#include <algorithm>

#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {

std::string_view code_of(RunDefect defect) {
  switch (defect) {
    case RunDefect::several_runs:
      return "several-runs";
    case RunDefect::different_sizes:
      return "different-sizes";
    case RunDefect::rank_twice:
      return "rank-twice";
    case RunDefect::rank_without_work:
      return "rank-without-work";
    case RunDefect::rank_missing:
      return "rank-missing";
    case RunDefect::no_clock:
      return "no-clock";
    case RunDefect::unknown_clock:
      return "unknown-clock";
    case RunDefect::contradicted_clock:
      return "contradicted-clock";
    case RunDefect::coarse_summaries:
      return "coarse-summaries";
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
    case LateBy::longer_kernels:
      return "longer_kernels";
    case LateBy::more_kernels:
      return "more_kernels";
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
  return question->middle() > finding->middle() ? question : finding;
}

RankTime mean_time(const RunResult& run) {
  RankTime mean;
  for (const RankResult& rank : run.ranks) mean += rank.time;
  const auto ranks = std::max<Ns>(1, static_cast<Ns>(run.ranks.size()));
  for (Ns RankTime::*const part :
       {&RankTime::computing, &RankTime::transferring, &RankTime::waiting, &RankTime::for_messages,
        &RankTime::other_communication, &RankTime::idle}) {
    mean.*part /= ranks;
  }
  return mean;
}

Share unexplained_waits(const RunResult& run, Share least) {
  const Ns window = run.window.length();
  for (const RunFinding& finding : run.findings) {
    if (portion(finding.most_saving, window) >= least) return 0;
  }
  const Share waits = portion(mean_time(run).waiting, window);
  return waits >= least ? waits : 0;
}

Verdict verdict_of(const RunResult& run) {
  const bool is_open = std::any_of(run.ranks.begin(), run.ranks.end(), [](const RankResult& rank) {
    return rank.trust == Trust::inconclusive;
  });
  if (is_open || !run.defects.empty()) return Verdict::inconclusive;
  if (!run.findings.empty()) return Verdict::findings;
  const RankTime mean = mean_time(run);
  const Ns lost = std::max(mean.waiting, mean.transferring + mean.other_communication);
  const bool is_lost = portion(lost, run.window.length()) >= assumed::least_saving;
  return run.questions.empty() && !is_lost ? Verdict::ok : Verdict::possible;
}

}  // namespace lapscope::analyzer
