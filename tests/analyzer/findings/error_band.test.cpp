#include "analyzer/findings/error_band.h"

#include <cmath>

#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

constexpr std::int64_t band_of = 1'000'000;

const RecordedAccuracy known{
    {10, 0.02, 0.05, 0.8}, {12, 0.03, 0.06, 0.5}, {"host-sync", "stream-order"}};

Prediction predicted_with(std::vector<Cause> fixes) {
  Prediction predicted;
  predicted.wall_ns = predicted.least_wall_ns = band_of;
  predicted.busy_share = 1;
  predicted.changed.fixes = std::move(fixes);
  return predicted;
}

ErrorBand band_with(Cause fix, const ReplayResult& replay = {}) {
  const Validity validity = validity_of(predicted_with({fix}), replay, known);
  REQUIRE(validity.band);
  return *validity.band;
}

NotValidated not_for(const Prediction& predicted) {
  const Validity validity = validity_of(predicted, {band_of, 0}, known);
  CHECK_FALSE(validity.band);
  return validity.not_for;
}

bool is_near(double a, double b) { return std::abs(a - b) < 1e-4; }

double ratio(std::int64_t a, std::int64_t b) {
  return static_cast<double>(a) / static_cast<double>(b);
}

TEST_CASE("the band reaches as far as predictions of fixes of its class missed") {
  const ErrorBand host = band_with(Cause::host_sync);
  CHECK(is_near(ratio(band_of, host.low_ns) - 1, 0.05));
  CHECK(is_near(ratio(band_of, host.high_ns) - 1, -0.05));
  CHECK(host.fixes == FixClass::host);
  const ErrorBand device = band_with(Cause::stream_order);
  CHECK(is_near(ratio(band_of, device.low_ns) - 1, 0.06));
  CHECK(device.fixes == FixClass::device);
}

TEST_CASE("what no recorded pairs are like has no band") {
  CHECK(not_for(predicted_with({Cause::sm_saturated})) == NotValidated::fix);
  CHECK(not_for(predicted_with({Cause::host_sync, Cause::stream_order})) ==
        NotValidated::several_fixes);
  Prediction at_one_place = predicted_with({Cause::host_sync});
  at_one_place.changed.special = NotValidated::one_site;
  CHECK(not_for(at_one_place) == NotValidated::one_site);
}

TEST_CASE("a prediction with two ends has no band around them") {
  Prediction predicted = predicted_with({Cause::stream_order});
  predicted.least_wall_ns = band_of / 2;
  CHECK(not_for(predicted) == NotValidated::sharing);
  predicted.doubt = Doubt::last_wave;
  CHECK(not_for(predicted) == NotValidated::last_wave);
  predicted.least_wall_ns = band_of - band_of / 1000;
  const Validity hardly_two = validity_of(predicted, {2 * band_of, 0}, known);
  REQUIRE(hardly_two.band);
  CHECK(is_near(ratio(predicted.least_wall_ns, hardly_two.band->low_ns) - 1, 0.06));
}

TEST_CASE("no recorded pair reads a value in each round, so that a program that does has no band") {
  Prediction predicted = predicted_with({Cause::host_sync});
  predicted.waits_for_values = true;
  CHECK(not_for(predicted) == NotValidated::values);
  predicted.changed.fixes = {Cause::stream_order};
  CHECK(validity_of(predicted, {}, known).band);
}

TEST_CASE("no recorded pair has threads that race for a stream, so that one that has has no band") {
  Prediction predicted = predicted_with({Cause::stream_order});
  predicted.has_races = true;
  CHECK(not_for(predicted) == NotValidated::races);
  predicted.changed.fixes = {Cause::host_sync};
  CHECK(validity_of(predicted, {}, known).band);
}

TEST_CASE("a fix that changes nothing has no band") {
  const Prediction predicted = predicted_with({Cause::stream_order});
  CHECK(not_for(predicted) == NotValidated::without_effect);
  CHECK(validity_of(predicted, {band_of + band_of / 50, 0}, known).band);
}

TEST_CASE("a run that waits more than any recorded pair's then has no band") {
  Prediction predicted = predicted_with({Cause::host_sync});
  predicted.busy_share = 0.79;
  CHECK(not_for(predicted) == NotValidated::idle);
  predicted.changed.fixes = {Cause::stream_order};
  CHECK(validity_of(predicted, {}, known).band);
}

TEST_CASE("what the replay is off by widens the band on both sides, whichever way it is off") {
  const ErrorBand sure = band_with(Cause::host_sync);
  const ErrorBand longer = band_with(Cause::host_sync, {0, 0.25});
  const ErrorBand shorter = band_with(Cause::host_sync, {0, -0.2});
  CHECK(is_near(ratio(sure.low_ns, longer.low_ns), 1.25));
  CHECK(is_near(ratio(longer.high_ns, sure.high_ns), 1.25));
  CHECK(is_near(ratio(shorter.low_ns, longer.low_ns), 1));
  CHECK(is_near(ratio(shorter.high_ns, longer.high_ns), 1));
}

TEST_CASE("a replay without a length has a band, and one that hardly replays has ends") {
  CHECK(band_with(Cause::host_sync, {0, -1}).low_ns == band_with(Cause::host_sync).low_ns);
  Prediction long_one = predicted_with({Cause::host_sync});
  long_one.wall_ns = long_one.least_wall_ns = 9'000'000'000'000'000;
  const Validity hardly = validity_of(long_one, {0, -0.999999}, known);
  REQUIRE(hardly.band);
  CHECK(0 < hardly.band->low_ns);
  CHECK(hardly.band->low_ns < hardly.band->high_ns);
}

}  // namespace
}  // namespace lapscope::analyzer
