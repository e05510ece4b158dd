#include "reports/words/findings.h"

#include "analyzer/fixes/fix.h"
#include "tests/catch.h"

namespace lapscope::reports {
namespace {

using analyzer::Doing;
using analyzer::FindingResult;

FindingResult finding_of(analyzer::Cause cause, Doing what) {
  FindingResult finding;
  finding.code = code_of(cause);
  finding.what = std::move(what);
  finding.sites = {{finding.what, "tile *"}};
  return finding;
}

TEST_CASE("whatever has a fix is explained, with whose doing it is, and says what to do") {
  for (const analyzer::Fix* fix : analyzer::fixes()) {
    const FindingResult finding = finding_of(fix->cause, {Doing::Kind::op, "stamp"});
    INFO(finding.code);
    const std::string explanation = explanation_of(finding);
    CHECK(explanation.ends_with('.'));
    CHECK(explanation.find('%') == std::string::npos);
    CHECK(fix_of(finding).ends_with('.'));
  }
}

TEST_CASE("a call site is told with its range") {
  const FindingResult finding =
      finding_of(analyzer::Cause::host_sync, {Doing::Kind::call, "cudaStreamSynchronize"});
  CHECK(explanation_of(finding) ==
        "The host waits in cudaStreamSynchronize in range 'tile *' before it issues the next "
        "work.");
}

TEST_CASE("a fix that pays only with another one says so") {
  FindingResult finding =
      finding_of(analyzer::Cause::launch_blocking, {Doing::Kind::call, "cudaLaunchKernel"});
  CHECK(fix_of(finding) == "Unset CUDA_LAUNCH_BLOCKING outside of debugging.");
  finding.then_also = "module-load";
  CHECK(fix_of(finding) ==
        "Unset CUDA_LAUNCH_BLOCKING outside of debugging. That alone is too little; then also "
        "module-load: code is loaded during set-up.");
}

TEST_CASE("host code between calls is told apart from a call, and a thread that sleeps from both") {
  FindingResult finding = finding_of(analyzer::Cause::host_compute, {Doing::Kind::host_code});
  CHECK(
      explanation_of(finding).starts_with("The GPU waits for CPU code between CUDA calls: host "
                                          "code between calls in range"));
  finding.situation.sleeps = true;
  CHECK(explanation_of(finding).starts_with("The GPU waits while a thread sleeps"));
  finding.what = {Doing::Kind::call, "cudaStreamCreate"};
  CHECK(explanation_of(finding).starts_with("Calls of cudaStreamCreate in range"));
  CHECK(clause_of(finding) == "the GPU waits for calls of CUDA");
  CHECK(fix_of(finding) ==
        "Make these calls once, outside the loop, and reuse what they create or return.");
}

}  // namespace
}  // namespace lapscope::reports
