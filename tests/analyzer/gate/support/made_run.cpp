#include "tests/analyzer/gate/support/made_run.h"

#include "analyzer/model/names.h"

namespace lapscope::test {

using namespace analyzer;

RunSummary made_run(std::initializer_list<std::pair<const Measure*, double>> figures) {
  ScopeSummary scope;
  scope.ops = 100;
  for (const auto& [measure, value] : figures) scope.measures.push_back({measure, value, ""});
  RunSummary run;
  run.trace.file = "run.sqlite";
  run.trace.command = "./app";
  run.trace.driver = "580.1";
  run.provenance = Provenance{"",
                              {"CONTEXT", "CUDA_EVENT", "DEVICE", "DRIVER", "OVERHEAD", "RUNTIME",
                               "STREAM", "SYNCHRONIZATION", "hardware channels"},
                              default_communication_patterns()};
  run.devices.push_back({0, "NVIDIA H200", {scope}, true});
  return run;
}

RunSummary made_run_without(const Measure& measure, const std::string& reason) {
  RunSummary run = made_run({});
  run.devices[0].scopes[0].measures.push_back({&measure, std::nullopt, reason});
  return run;
}

void add_findings(RunSummary& run, std::initializer_list<std::pair<const char*, double>> findings,
                  double replay_error) {
  CausesSummary causes;
  causes.replay_error = replay_error;
  for (const auto& [code, share] : findings) {
    FindingSummary finding;
    finding.code = code;
    finding.what = "what";
    finding.saving_share = share;
    finding.explanation = "It waits.";
    finding.fix = "Do not wait.";
    causes.findings.push_back(finding);
    causes.savings[code] = share;
  }
  run.devices[0].scopes[0].causes = causes;
}

void make_steady(RunSummary& run, SteadyState state, const std::string& words) {
  ScopeSummary steady = run.devices[0].scopes[0];
  steady.kind = ScopeKind::steady;
  steady.name = steady_state_name;
  steady.steady = std::move(state);
  steady.words = {words, words};
  run.devices[0].scopes.push_back(steady);
}

void add_range(RunSummary& run, const std::string& name) {
  ScopeSummary range = run.devices[0].scopes[0];
  range.kind = ScopeKind::nvtx;
  range.name = name;
  run.devices[0].scopes.push_back(range);
}

}  // namespace lapscope::test
