#include "tests/bench/summary.h"

#include <cmath>
#include <sstream>
#include <string>

#include "tests/catch.h"

namespace lapscope::bench {
namespace {

Run took(double wall_s, std::int64_t peak_rss = 0) {
  return {.wall_s = wall_s, .cpu_s = wall_s, .peak_rss = peak_rss};
}

bool near(double value, double expected) { return std::abs(value - expected) < 1e-9; }

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

// Makes the results of three rounds. In the second round, the machine is half as fast.
SizeRuns sample() {
  SizeRuns runs;
  runs.ops = 1000;
  runs.empty_rss = 10'000;
  runs.analyze = {took(3, 110'000), took(6, 120'000), took(3.3, 130'000)};
  runs.scan = {took(1), took(2), took(1)};
  return runs;
}

TEST_CASE("the median is the middle, or between the middle two") {
  REQUIRE(median({3, 1, 2}) == 2);
  REQUIRE(median({4, 1, 2, 3}) == 2.5);
  REQUIRE(median({7}) == 7);
}

TEST_CASE("a round that is slow for both leaves the ratio alone") {
  REQUIRE(near(ratio(sample()), 3));
  REQUIRE(near(ratio_of_quickest(sample()), 3));
}

TEST_CASE("memory by op leaves out what an empty trace needs") {
  REQUIRE(near(bytes_per_op(sample()), 110));
}

TEST_CASE("growth is the slope in a double logarithmic plot") {
  REQUIRE(near(growth_exponent(10, 5, 1000, 500), 1));
  REQUIRE(near(growth_exponent(10, 5, 100, 500), 2));
  REQUIRE(near(growth_exponent(10, 5, 100, 5), 0));
}

TEST_CASE("the summary says which goals are met") {
  SizeRuns good = sample();
  good.ops = 10'000;
  for (Run& run : good.analyze) run.wall_s /= 2;
  std::ostringstream out;
  print_summary({sample(), good}, without_causes, out);
  const std::string text = out.str();
  const auto line = [&text](const char* ops) { return text.substr(text.rfind(ops), 80); };
  REQUIRE(has(line("\n       1000 "), "3.00"));
  REQUIRE(has(line("\n       1000 "), "110.0"));
  REQUIRE(has(line("\n       1000 "), "missed"));
  REQUIRE_FALSE(has(line("\n       1000 "), " met"));
  REQUIRE(has(line("\n      10000 "), " met"));
  REQUIRE_FALSE(has(line("\n      10000 "), "missed"));
  REQUIRE(has(text, "time grows with the power -0.30, memory 0.00"));
}

}  // namespace
}  // namespace lapscope::bench
