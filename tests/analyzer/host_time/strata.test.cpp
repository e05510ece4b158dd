#include "analyzer/host_time/strata.h"

#include <algorithm>
#include <map>
#include <random>

#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

constexpr std::int64_t interval = 10;

std::map<std::uint32_t, std::int64_t> by_label(const Division& division) {
  std::map<std::uint32_t, std::int64_t> ns;
  for (const Portion& portion : division.portions) ns[portion.label] += portion.ns;
  return ns;
}

std::vector<PlaceSample> seen(std::initializer_list<std::pair<std::uint32_t, std::uint32_t>> all) {
  std::vector<PlaceSample> samples;
  for (const auto& [place, label] : all) samples.push_back({place, label, interval});
  return samples;
}

using Labels = std::map<std::uint32_t, std::int64_t>;

TEST_CASE("the time of a place is divided by how often what was seen there") {
  const auto samples = seen({{0, 1}, {0, 1}, {0, 2}});
  CHECK(by_label(divide({{0, 0, 300}}, samples, samples, interval)) == Labels{{1, 200}, {2, 100}});
}

TEST_CASE("a look that stands for longer counts for more") {
  const std::vector<PlaceSample> samples = {{0, 1, 30}, {0, 2, 10}};
  CHECK(by_label(divide({{0, 0, 400}}, samples, samples, interval)) == Labels{{1, 300}, {2, 100}});
}

TEST_CASE("what nobody saw is not known") {
  CHECK(by_label(divide({{0, 0, 300}}, {}, {}, interval)) == Labels{{no_index, 300}});
  // Samples at place 0 say nothing about place 1, which has much time.
  const auto samples = seen({{0, 1}});
  CHECK(by_label(divide({{0, 0, 300}, {1, 0, 200}}, samples, samples, interval)) ==
        Labels{{1, 300}, {no_index, 200}});
}

// The clock shows that the thread waits (_) for half of the time. Three of four samples show the
// thread waiting (x).
//
//   thread   ____####____####
//   samples  .x...y..x.x.....
TEST_CASE("a place has the waiting time that the clock shows, whatever share of samples waits") {
  std::vector<PlaceSample> samples = seen({{0, 1}, {0, 2}, {0, 1}, {0, 1}});
  for (PlaceSample& one : samples) one.waits = one.label == 1;
  CHECK(by_label(divide({{0, 0, 80, 40}}, samples, samples, interval)) == Labels{{1, 40}, {2, 40}});
  // A waiting time of 20 ns is too short for this. All samples of the place divide its 80 ns.
  CHECK(by_label(divide({{0, 0, 80, 20}}, samples, samples, interval)) == Labels{{1, 60}, {2, 20}});
  // No sample shows the thread running. So all samples of the place divide its 80 ns.
  const auto only_waits = std::vector<PlaceSample>{samples[0], samples[2]};
  CHECK(by_label(divide({{0, 0, 80, 40}}, only_waits, only_waits, interval)) == Labels{{1, 80}});
}

TEST_CASE("places with little time share their samples with places before the same call") {
  const auto samples = seen({{0, 1}, {1, 1}, {2, 2}, {3, 3}});
  const Division division =
      divide({{0, 7, 20}, {1, 7, 20}, {2, 7, 10}, {3, 8, 25}}, samples, samples, interval);
  std::map<std::uint32_t, std::int64_t> before;
  for (const Portion& one : division.portions) before[one.after] += one.ns;
  CHECK(before == Labels{{7, 50}, {8, 25}});
  CHECK(by_label(division) == Labels{{1, 33}, {2, 17}, {3, 25}});
}

TEST_CASE("a short scope without samples is divided by all samples at the same places") {
  const auto everywhere = seen({{0, 1}, {0, 2}, {0, 2}, {0, 2}, {1, 5}});
  CHECK(by_label(divide({{0, 0, 20}}, {}, everywhere, interval)) == Labels{{1, 5}, {2, 15}});
}

// Each interval of 15 ns has 10 ns in A and then 5 ns in B. Samples are 10 ns apart. Half of the
// intervals have one sample, which is in A. The other half have two samples, one in A and one in B.
// If each interval were divided by its own samples, A would get 15 ns in one half of the intervals
// and 7.5 ns in the other half. On average, this is 11.25 ns instead of 10 ns.
TEST_CASE("with one or two samples in each interval, no part of the time is overestimated") {
  std::mt19937 random(1);
  std::uniform_int_distribution<std::int64_t> phase(0, 9);
  std::vector<PlaceSample> samples;
  constexpr int times = 10'000;
  for (int i = 0; i < times; ++i) {
    for (std::int64_t at = phase(random); at < 15; at += interval) {
      samples.push_back({0, at < 10 ? 1U : 2U, interval});
    }
  }
  auto ns = by_label(divide({{0, 0, 15 * times}}, samples, samples, interval));
  CHECK(ns[1] > 9'900 * 10);
  CHECK(ns[1] < 10'100 * 10);
}

// Labels 1 and 2 are what the thread waits for, in 6,000 of 10,000 ns. Labels 3 and 4 are functions
// in which it runs, in the rest of the time.
TEST_CASE("bounds contain the true times in nine of ten cases") {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> at(0, 1);
  const Labels truth = {{1, 4'000}, {2, 2'000}, {3, 3'600}, {4, 400}};
  std::map<std::uint32_t, int> inside;
  constexpr int rounds = 2'000;
  for (int round = 0; round < rounds; ++round) {
    std::vector<PlaceSample> samples;
    for (int i = 0; i < 100; ++i) {
      const double where = 10'000 * at(random);
      const std::uint32_t label = where < 4'000 ? 1 : where < 6'000 ? 2 : where < 9'600 ? 3 : 4;
      samples.push_back({.label = label, .ns = interval, .waits = label <= 2});
    }
    const Division division = divide({{0, 0, 10'000, 6'000}}, samples, samples, interval);
    const HostThread thread{.waiting = division.waiting, .other = division.other};
    for (const Portion& portion : division.portions) {
      HostShare share;
      portion.add_to(share);
      share = with_bounds(share, thread);
      const Ns ns = truth.at(portion.label);
      inside[portion.label] += share.least_ns <= ns && ns <= share.most_ns;
    }
  }
  for (const auto& [label, times] : inside) {
    CAPTURE(label);
    CHECK(times > rounds * 86 / 100);
    CHECK(times < rounds * 95 / 100);
  }
}

TEST_CASE("parts sum to the time of their places exactly, whatever was seen") {
  std::mt19937 random(7);
  const auto up_to = [&random](std::int64_t most) {
    return std::uniform_int_distribution<std::int64_t>(0, most)(random);
  };
  for (int round = 0; round < 500; ++round) {
    std::vector<PlaceTime> places;
    for (std::uint32_t place = 0; place < 6; ++place) {
      const Ns ns = 1 + up_to(997);
      places.push_back({place, static_cast<std::uint32_t>(up_to(2)), ns, up_to(ns)});
    }
    std::vector<PlaceSample> everywhere;
    std::vector<PlaceSample> in_scope;
    const std::int64_t looks = up_to(40);
    for (std::int64_t i = 0; i < looks; ++i) {
      everywhere.push_back({static_cast<std::uint32_t>(up_to(7)),
                            static_cast<std::uint32_t>(up_to(4)), 1 + up_to(19)});
      everywhere.back().waits = up_to(1) == 0;
      if (up_to(1) == 0) in_scope.push_back(everywhere.back());
    }
    const Division division = divide(places, in_scope, everywhere, interval);
    Labels before;
    Labels expected;
    std::int64_t known = 0;
    for (const Portion& one : division.portions) {
      CHECK(one.ns > 0);
      before[one.after] += one.ns;
      if (one.label != no_index) known += one.ns;
    }
    for (const PlaceTime& place : places) expected[place.after] += place.ns;
    CHECK(before == expected);
    CHECK(known == division.waiting.ns + division.other.ns);
    CHECK(division.waiting.independent_samples + division.other.independent_samples <=
          static_cast<double>(division.rests_on.size()) + 1e-6);
  }
}

}  // namespace
}  // namespace lapscope::analyzer
