#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/catch.h"
#include "tests/cli/support/run_command.h"
#include "tests/collector/support/temporary_folder.h"
#include "tests/support/json.h"

// Programs of tests/gpu/rank_programs.py, as recorded on two GPUs, and what their fix saved there.
namespace lapscope::test {
namespace {

namespace fs = std::filesystem;

const fs::path recordings = fs::path(LAPSCOPE_TEST_TRACES) / "ranks";

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

TEST_CASE("what was planted comes first, with its rank", "[ranks]") {
  const auto catalogue = parse_json(read_file(recordings / "catalogue.json"));
  REQUIRE(catalogue["traces"].size() >= 6);
  for (const auto& trace : catalogue["traces"]) {
    const auto folder = trace["folder"].get<std::string>();
    INFO(folder);
    const CommandResult result = run_lapscope({"analyze", "--format", "json", recordings / folder});
    INFO(result.err);
    REQUIRE(result.status == 0);
    if (!trace.contains("first")) continue;  // a miss, of which the catalogue says what it is
    const auto run = parse_json(result.out);
    std::vector<nlohmann::json> found;
    for (const char* list : {"findings", "questions"}) {
      for (const auto& finding : run[list]) found.push_back(finding);
    }
    REQUIRE_FALSE(found.empty());
    const auto& first =
        *std::max_element(found.begin(), found.end(), [](const auto& a, const auto& b) {
          return a["saving_ns"].template get<double>() < b["saving_ns"].template get<double>();
        });
    CHECK(first["code"] == trace["first"]);
    for (const char* key : {"rank", "late_by"}) {
      if (trace.contains(key)) CHECK(first[key] == trace[key]);
    }
    if (first["code"] != "straggler") continue;
    const double bare = median(trace["bare_ms"]["broken"]);
    const double saved = 1 - median(trace["bare_ms"]["fixed"]) / bare;
    const double promised = first["saving_ns"].get<double>() / run["window_ns"].get<double>();
    CHECK(promised == Approx(saved).margin(0.05));
  }
}

TEST_CASE("the last rank is missed where the launcher said how many there are", "[ranks]") {
  const TemporaryFolder folder;
  fs::copy_file(recordings / "pipeline-broken" / "0.sqlite", folder / "0.sqlite");
  const CommandResult alone = run_lapscope({"analyze", folder.path()});
  CHECK(alone.status == 3);
  CHECK(alone.out.find("there is no trace of rank 1") != std::string::npos);
}

TEST_CASE("a gate fails what analyze says of recorded ranks", "[ranks]") {
  const auto gate = [](const char* folder, const char* condition) {
    return run_lapscope({"gate", "--forbid", condition, recordings / folder}).status;
  };
  CHECK(gate("straggler-host-broken", "straggler=10%") == 1);
  CHECK(gate("straggler-kernels-broken", "straggler=10%") == 1);
  CHECK(gate("uneven-experts-broken", "straggler=10%") == 0);
  CHECK(gate("pipeline-broken", "pipeline-bubble=10%") == 1);
}

}  // namespace
}  // namespace lapscope::test
