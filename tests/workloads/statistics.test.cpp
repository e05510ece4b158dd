#include "workloads/harness/statistics.h"

#include "tests/catch.h"

namespace lapscope::workloads {
namespace {

TEST_CASE("quantiles lie between neighbours", "[scan]") {
  REQUIRE(quantile({4, 1, 3, 2}, 0.5) == 2.5);
  const Quartiles q = quartiles({5, 1, 2, 3, 4});
  REQUIRE(q.low == 2);
  REQUIRE(q.median == 3);
  REQUIRE(q.high == 4);
  REQUIRE(quantile({7}, 0.9) == 7);
}

}  // namespace
}  // namespace lapscope::workloads
