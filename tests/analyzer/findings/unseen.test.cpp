#include <filesystem>
#include <string>

#include "analyzer/analysis/analyze.h"
#include "readers/read_trace.h"
#include "tests/catch.h"

// Programs that did not influence the choice of the default scope (tests/traces/README.md). Their
// mistakes were written down before the analysis.
namespace lapscope::analyzer {
namespace {

// Returns the first finding of the default scope, or "" if there is none.
std::string first_finding(const std::string& name) {
  const auto file = std::filesystem::path(LAPSCOPE_TEST_TRACES) / "unseen" / (name + ".sqlite");
  AnalyzeOptions options;
  options.focus = Focus::automatic;
  const Report report = analyze(read_trace(file), options);
  REQUIRE(report.trust == Trust::sound);
  REQUIRE(report.devices.size() == 1);
  const RangeResult* steady = steady_state_of(report.devices.front());
  REQUIRE(steady != nullptr);
  REQUIRE(steady->scope.causes);
  const auto& findings = steady->scope.causes->findings;
  return findings.empty() ? "" : std::string(findings.front().code);
}

struct Program {
  const char* name;
  const char* planted;
  const char* broken;  // the first finding in the program with the mistake
  const char* fixed;
};

constexpr Program programs[] = {
    {"cupy-streams", "default-stream-barrier", "default-stream-barrier", ""},
    // Each copy waits in the stream of the kernels, although its data are already on the host.
    {"long-end", "host-pinning", "host-pinning", "stream-order"},
    {"long-set-up", "host-sync", "host-sync", "host-compute"},
    {"pageable-batches", "pageable-copy", "pageable-copy", ""},
    {"pool", "alloc-free", "alloc-free", ""},
    {"read-loss", "host-sync", "host-sync", ""},
    {"readers", "pageable-copy", "pageable-copy", ""},
    // The server always computes between requests.
    {"server", "host-compute", "host-compute", "host-compute"},
    // As in long-end, each copy waits in the stream of the kernels.
    {"small-kernels", "launch-overhead", "launch-overhead", "stream-order"},
    {"two-phases", "default-stream-barrier", "default-stream-barrier", ""},
};

TEST_CASE("ten programs that no rule was made with are found, and six are silent once fixed") {
  int named = 0;
  int silent = 0;
  for (const Program& program : programs) {
    INFO(program.name);
    const std::string broken = first_finding(program.name + std::string("-broken"));
    const std::string fixed = first_finding(program.name + std::string("-fixed"));
    CHECK(broken == program.broken);
    CHECK(fixed == program.fixed);
    named += broken == program.planted;
    silent += fixed.empty();
  }
  CHECK(named == 10);
  CHECK(silent == 6);
}

}  // namespace
}  // namespace lapscope::analyzer
