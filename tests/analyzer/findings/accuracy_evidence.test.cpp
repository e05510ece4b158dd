#include "tests/analyzer/findings/accuracy_evidence.h"

#include <algorithm>
#include <cmath>

#include "tests/catch.h"

namespace lapscope::test {
namespace {

using analyzer::Cause;

AccuracyPair pair_of(const std::string& name, Cause fix, double error) {
  AccuracyPair pair;
  pair.name = name;
  pair.variant = "broken";
  pair.fixes = {std::string(code_of(fix))};
  pair.put_right = "fixed";
  pair.put_right_ms = 1;
  pair.predicted_ms = pair.least_ms = 1 + error;
  pair.prediction.wall_ns = pair.prediction.least_wall_ns = std::llround(pair.predicted_ms * 1e6);
  pair.prediction.busy_share = 0.9;
  pair.prediction.changed.fixes = {fix};
  pair.replay.wall_ns = 2'000'000;
  return pair;
}

// Errors of 1 to `count` %, half of one fix and half of another.
std::vector<AccuracyPair> host_pairs(int count) {
  std::vector<AccuracyPair> pairs;
  for (int i = 1; i <= count; ++i) {
    const Cause fix = i % 2 == 0 ? Cause::host_sync : Cause::pageable_copy;
    pairs.push_back(pair_of("case " + std::to_string(i), fix, 0.01 * i));
  }
  return pairs;
}

bool is_near(double a, double b) { return std::abs(a - b) < 2e-4; }

TEST_CASE("nine of ten new pairs are within a band, which takes nine to tell") {
  const analyzer::RecordedAccuracy eight = evidence_of(host_pairs(8));
  CHECK(eight.host.pairs == 8);
  CHECK_FALSE(eight.knows(Cause::host_sync));
  const analyzer::RecordedAccuracy nine = evidence_of(host_pairs(9));
  CHECK(nine.knows(Cause::host_sync));
  CHECK(nine.knows(Cause::pageable_copy));
  CHECK(is_near(nine.host.error, 0.09));
  CHECK(is_near(nine.host.median_error, 0.05));
  // Of twenty, the worst is beyond: rank 0.9 * 21, rounded up.
  CHECK(is_near(evidence_of(host_pairs(20)).host.error, 0.19));
}

TEST_CASE("a fix has a band where two of its cases are among the pairs") {
  std::vector<AccuracyPair> pairs = host_pairs(9);
  pairs.push_back(pair_of("one alone", Cause::alloc_free, 0.02));
  CHECK_FALSE(evidence_of(pairs).knows(Cause::alloc_free));
  AccuracyPair same_case = pairs.back();
  same_case.variant = "other";
  pairs.push_back(same_case);
  CHECK_FALSE(evidence_of(pairs).knows(Cause::alloc_free));
  pairs.push_back(pair_of("another", Cause::alloc_free, 0.02));
  CHECK(evidence_of(pairs).knows(Cause::alloc_free));
}

TEST_CASE("pairs that are kept aside change nothing that is known") {
  std::vector<AccuracyPair> pairs = host_pairs(9);
  pairs.push_back(pair_of("aside", Cause::host_sync, 0.5));
  pairs.back().prediction.busy_share = 0.1;
  pairs.back().is_kept_aside = true;
  const analyzer::RecordedAccuracy known = evidence_of(pairs);
  CHECK(known.host.pairs == 9);
  CHECK(is_near(known.host.error, 0.09));
  CHECK(is_near(known.host.least_busy, 0.9));
}

TEST_CASE("what is kept aside shows how often bands are right") {
  std::vector<AccuracyPair> pairs = host_pairs(9);
  for (const double error : {0.08, -0.5}) {
    pairs.push_back(pair_of("aside " + std::to_string(error), Cause::host_sync, error));
    pairs.back().is_kept_aside = true;
  }
  pairs.push_back(pair_of("aside, no band", Cause::sm_saturated, 0.5));
  pairs.back().is_kept_aside = true;
  const analyzer::KeptAside aside = check_kept_aside(pairs);
  CHECK(aside.bands == 2);
  CHECK(aside.held == 1);
}

TEST_CASE("pairs with two ends, of several fixes and with a number are no evidence") {
  std::vector<AccuracyPair> pairs = host_pairs(12);
  pairs[0].prediction.least_wall_ns = 500'000;
  pairs[1].prediction.changed.fixes.push_back(Cause::stream_order);
  pairs[2].prediction.changed.special = analyzer::NotValidated::number;
  CHECK(evidence_of(pairs).host.pairs == 9);
  CHECK(is_plain(pairs[3]));
  CHECK_FALSE(is_plain(pairs[0]));
}

TEST_CASE("one prediction that is held against two programs counts once") {
  std::vector<AccuracyPair> pairs = host_pairs(9);
  pairs.push_back(pairs.back());
  pairs.back().put_right = "another variant";
  CHECK(evidence_of(pairs).host.pairs == 9);
}

// The worst of ten is outside of what the other nine say; their own band holds it.
TEST_CASE("a pair that is left out is judged by the other cases") {
  const std::vector<AccuracyPair> pairs = host_pairs(10);
  CHECK(check_band(pairs.back(), evidence_of(pairs)).held);
  CHECK(check_left_out(pairs.back(), pairs).is_printed);
  CHECK_FALSE(check_left_out(pairs.back(), pairs).held);
  CHECK(check_left_out(pairs.front(), pairs).held);
  CHECK_FALSE(check_left_out(pairs.front(), host_pairs(9)).is_printed);
}

}  // namespace
}  // namespace lapscope::test
