#include <sstream>
#include <stdexcept>

#include "tests/catch.h"
#include "workloads/harness/workload_report.h"

namespace lapscope::workloads {
namespace {

using Align = TextTable::Align;

TEST_CASE("columns are as wide as their widest cell, and lines end without blanks", "[workloads]") {
  TextTable table({{"call"}, {"ms", Align::right}, {"verdict"}});
  table.add({"cudaMalloc", "0.05", "no"});
  table.add({"f", "12.50", ""});
  std::ostringstream out;
  out << table;
  REQUIRE(out.str() ==
          "call           ms  verdict\n"
          "cudaMalloc   0.05  no\n"
          "f           12.50\n");
}

TEST_CASE("a row of another width than the table is refused", "[workloads]") {
  TextTable table({{"a"}, {"b"}});
  REQUIRE_THROWS_AS(table.add({"1"}), std::invalid_argument);
  REQUIRE_THROWS_AS(table.add({"1", "2", "3"}), std::invalid_argument);
}

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
