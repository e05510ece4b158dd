#include "analyzer/findings/predict.h"

#include <cmath>

#include "analyzer/findings/recorded_accuracy.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

constexpr std::int64_t band_of = 1'000'000;

ErrorBand error_band(std::int64_t wall_ns, const ReplayResult& replay) {
  Prediction predicted;
  predicted.wall_ns = predicted.least_wall_ns = wall_ns;
  return analyzer::error_band(predicted, replay);
}

bool is_near(double a, double b) { return std::abs(a - b) < 1e-4; }

double ratio(std::int64_t a, std::int64_t b) {
  return static_cast<double>(a) / static_cast<double>(b);
}

TEST_CASE("the band reaches as far as recorded predictions missed") {
  const ErrorBand band = error_band(band_of, {});
  CHECK(is_near(ratio(band_of, band.low_ns) - 1, recorded_accuracy.worst_error));
  CHECK(is_near(ratio(band_of, band.high_ns) - 1, -recorded_accuracy.worst_error));
}

TEST_CASE("the band of a range reaches beyond both of its ends") {
  Prediction predicted;
  predicted.wall_ns = 2 * band_of;
  predicted.least_wall_ns = band_of;
  const ErrorBand band = analyzer::error_band(predicted, {});
  CHECK(band.low_ns == error_band(band_of, {}).low_ns);
  CHECK(band.high_ns == error_band(2 * band_of, {}).high_ns);
}

TEST_CASE("what the replay is off by widens the band on both sides, whichever way it is off") {
  const ErrorBand sure = error_band(band_of, {});
  const ErrorBand longer = error_band(band_of, {0, 0.25});
  const ErrorBand shorter = error_band(band_of, {0, -0.2});
  CHECK(is_near(ratio(sure.low_ns, longer.low_ns), 1.25));
  CHECK(is_near(ratio(longer.high_ns, sure.high_ns), 1.25));
  CHECK(is_near(ratio(shorter.low_ns, longer.low_ns), 1));
  CHECK(is_near(ratio(shorter.high_ns, longer.high_ns), 1));
}

TEST_CASE("a replay without a length has a band, and one that hardly replays has ends") {
  CHECK(error_band(band_of, {0, -1}).low_ns == error_band(band_of, {}).low_ns);
  const ErrorBand hardly = error_band(9'000'000'000'000'000, {0, -0.999999});
  CHECK(0 < hardly.low_ns);
  CHECK(hardly.low_ns < hardly.high_ns);
}

}  // namespace
}  // namespace lapscope::analyzer
