#include "collector/launch/kept_costs.h"

#include "tests/catch.h"
#include "tests/collector/support/temporary_folder.h"

namespace lapscope::launch {
namespace {

constexpr std::chrono::milliseconds soon{100};

KeptCosts costs_of(const std::string& gpu, const std::string& created, std::int64_t launch_ns) {
  KeptCosts costs;
  costs.key = {{"node1", gpu, "580.159", "130001"}, "+latency"};
  costs.created = created;
  costs.costs = {{"query", 300, 300, 0, created}, {"launch", 2000, 2000 + launch_ns, 10, created}};
  return costs;
}

TEST_CASE("the newest costs of a host and a request are found, whatever its GPU", "[launch]") {
  const test::TemporaryFolder folder;
  CHECK_FALSE(newest_costs(folder.path(), "node1", "+latency"));
  {
    const CostFile file(folder.path(), soon);
    file.keep(costs_of("H100", "2026-11-27T10:00:00Z", 1100));
    file.keep(costs_of("H200", "2026-11-28T10:00:00Z", 1200));
    file.keep(costs_of("L4", "2026-11-26T10:00:00Z", 1300));
    // A locked file can be read.
    CHECK(added_to_launch(*newest_costs(folder.path(), "node1", "+latency")) == 1200);
  }
  CHECK_FALSE(newest_costs(folder.path(), "node2", "+latency"));
  CHECK_FALSE(newest_costs(folder.path(), "node1", ""));
}

TEST_CASE("what recording adds to a launch is never below 0, and may be unknown", "[launch]") {
  CHECK(added_to_launch(costs_of("H100", "2026-11-27T10:00:00Z", -50)) == 0);
  KeptCosts failed;
  failed.problem = "no GPU.";
  CHECK_FALSE(added_to_launch(failed));
}

}  // namespace
}  // namespace lapscope::launch
