#include "analyzer/ranks/clock_line.h"

#include <cmath>
#include <random>

#include "analyzer/model/assumptions.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using Bounds = std::vector<ClockBound>;

std::optional<FittedClock> fit(const Bounds& at_least, const Bounds& at_most) {
  return fit_clock(at_least, at_most, {at_least[0].time, at_least[0].time});
}

TEST_CASE("a line lies between the bounds", "[ranks]") {
  const Bounds at_least{{1'000, 2}, {2'000, 2}};
  const Bounds at_most{{1'000, 4}, {2'000, 4}};
  const auto fitted = fit(at_least, at_most);
  REQUIRE(fitted);
  CHECK(fitted->line.at(1'000) == 3);
  CHECK(fitted->line.at(2'000) == 3);
  CHECK(fitted->error == 1);
}

// In 10 ms, the difference between the clocks grows by 5,000 ns.
TEST_CASE("a drift follows from bounds at two times", "[ranks]") {
  const auto fitted = fit({{0, -10}, {10'000'000, 4'990}}, {{0, 10}, {10'000'000, 5'010}});
  REQUIRE(fitted);
  CHECK(fitted->line.drift == Approx(0.0005).margin(3e-6));
  CHECK(std::abs(fitted->line.at(5'000'000) - 2'500) <= 10);
  CHECK(fitted->error <= 20);
}

TEST_CASE("bounds at one time leave the drift open", "[ranks]") {
  const auto fitted = fit({{500, 7}}, {{500, 9}});
  REQUIRE(fitted);
  CHECK(fitted->line.at(500) == 8);
  CHECK(fitted->line.drift == Approx(0).margin(1e-9));
}

TEST_CASE("a clock that drifts too much, or jumps, has no line", "[ranks]") {
  CHECK_FALSE(fit({{0, -1}, {1'000'000, 1'999}}, {{0, 1}, {1'000'000, 2'001}}));
  CHECK_FALSE(fit({{0, 0}, {1'000, 500}, {2'000, 0}}, {{0, 10}, {1'000, 510}, {2'000, 10}}));
  CHECK_FALSE(fit({{0, 5}}, {{0, 3}}));
}

// Two early collectives of a run of 100 s leave some drift possible. The error includes this drift.
TEST_CASE("the error holds for the whole run", "[ranks]") {
  const Ns end = 100'000'000'000;
  const auto fitted = fit_clock({{0, -10'000}, {20'000'000, -10'000}},
                                {{0, 10'000}, {20'000'000, 2'000}}, {0, end});
  REQUIRE(fitted);
  CHECK(std::abs(fitted->line.drift) < 1e-12);
  CHECK(std::abs(fitted->line.at(end)) <= 10'000);
  CHECK(fitted->error > 90'000'000);  // 1 ms a second, from the second collective on
}

TEST_CASE("a time of the common clock is found again", "[ranks]") {
  const ClockLine line{1'000, 60'000'000'000, -0.0002};
  for (const Ns time : {Ns{0}, Ns{123'456'789}, Ns{100'000'000'000}}) {
    CHECK(std::abs(line.on_own_clock(line.on_common_clock(time)) - time) <= 1);
  }
}

TEST_CASE("the difference is known to the stated error", "[ranks]") {
  std::mt19937_64 random(7);
  const auto uniform = [&random](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  for (int run = 0; run < 200; ++run) {
    const Ns utc = 1'700'000'000'000'000'000;
    const Ns offset = std::llround(uniform(-1e12, 1e12));
    const double drift = uniform(-0.99, 0.99) * assumed::most_drift;
    const ClockLine truth{utc, offset, drift};
    Bounds at_least;
    Bounds at_most;
    const int count = 1 + run % 50;
    for (int i = 0; i < count; ++i) {
      const Ns time = utc + std::llround(uniform(0, 1e11));
      at_least.push_back({time, truth.at(time) - std::llround(uniform(0, 1e5))});
      const Ns later = time + std::llround(uniform(0, 1e6));
      at_most.push_back({later, truth.at(later) + std::llround(uniform(0, 1e5))});
    }
    INFO(run);
    const auto fitted = fit(at_least, at_most);
    REQUIRE(fitted);
    for (const Bounds* const bounds : {&at_least, &at_most}) {
      for (const ClockBound& bound : *bounds) {
        const Ns off = fitted->line.at(bound.time) - truth.at(bound.time);
        CHECK(std::abs(off) <= fitted->error + 1);
      }
    }
    for (const ClockBound& bound : at_least) {
      CHECK(fitted->line.at(bound.time) >= bound.difference - 1);
    }
    for (const ClockBound& bound : at_most) {
      CHECK(fitted->line.at(bound.time) <= bound.difference + 1);
    }
  }
}

}  // namespace
}  // namespace lapscope::analyzer
