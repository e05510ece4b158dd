#include "analyzer/findings/error_band.h"

#include <fmt/format.h>

#include <cmath>

#include "analyzer/findings/recorded_accuracy.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {

namespace {

ErrorBand band_around(const Prediction& predicted, const ReplayResult& replay, FixClass fixes,
                      double error) {
  const double ratio = 1 + replay.error;
  const double off = ratio > 0 ? std::max(ratio, 1 / ratio) : 1;
  const auto shortest = static_cast<double>(predicted.least_wall_ns);
  const auto longest = static_cast<double>(predicted.wall_ns);
  const auto low = shortest / (1 + error) / off;
  const auto high = longest / (1 - error) * off;
  // Of a run that hardly replays at all, the band ends somewhere.
  constexpr double most = 9e18;
  return {static_cast<std::int64_t>(std::floor(low)),
          static_cast<std::int64_t>(std::ceil(std::min(high, most))), fixes};
}

// What programs gain by a fix that finds nothing to change, no recorded pair shows: they may have
// been put right in another way.
bool is_without_effect(const Prediction& predicted, const ReplayResult& replay) {
  const auto wall = static_cast<double>(replay.wall_ns);
  return wall > 0 &&
         wall - static_cast<double>(predicted.wall_ns) < assumed::noteworthy_replay * wall;
}

}  // namespace

bool is_in_doubt(const Prediction& predicted, std::int64_t wall_ns) {
  return static_cast<double>(predicted.wall_ns - predicted.least_wall_ns) >
         assumed::noteworthy_range * static_cast<double>(wall_ns);
}

Validity validity_of(const Prediction& predicted, const ReplayResult& replay) {
  return validity_of(predicted, replay, recorded_accuracy);
}

Validity validity_of(const Prediction& predicted, const ReplayResult& replay,
                     const RecordedAccuracy& known) {
  const Changed& changed = predicted.changed;
  if (!changed.special.empty()) return {std::nullopt, std::string(changed.special)};
  if (changed.fixes.size() != 1) return {std::nullopt, "several fixes at once"};
  const Cause fix = changed.fixes.front();
  const std::string code(code_of(fix));
  if (!known.knows(fix)) return {std::nullopt, code};
  if (is_in_doubt(predicted, replay.wall_ns)) {
    return {std::nullopt, code + (predicted.doubt == Doubt::sharing
                                      ? " where the trace does not show what kernels share"
                                      : " where the trace does not show what the last wave of a "
                                        "kernel leaves to others")};
  }
  if (fix == Cause::host_sync && predicted.waits_for_values) {
    return {std::nullopt, code + " where the host reads values that it waits for"};
  }
  if (fix == Cause::stream_order && predicted.has_races) {
    return {std::nullopt, code + " where threads race for a stream"};
  }
  const ClassErrors& errors = known.of(class_of(fix));
  if (predicted.busy_share < errors.least_busy) {
    return {std::nullopt, fmt::format("{} where no engine is then busy for {:.0f} % of the time",
                                      code, 100 * errors.least_busy)};
  }
  if (is_without_effect(predicted, replay)) {
    return {std::nullopt, code + " where it changes nothing"};
  }
  return {band_around(predicted, replay, class_of(fix), errors.error), ""};
}

}  // namespace lapscope::analyzer
