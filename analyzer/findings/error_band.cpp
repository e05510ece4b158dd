#include "analyzer/findings/error_band.h"

#include <cmath>

#include "analyzer/findings/recorded_accuracy.h"
#include "analyzer/model/assumptions.h"
#include "analyzer/model/rules.h"

namespace lapscope::analyzer {

namespace {

ErrorBand band_around(const Prediction& predicted, const ReplayResult& replay, FixClass fixes,
                      const ClassErrors& errors) {
  const double ratio = 1 + replay.error;
  const double off = ratio > 0 ? std::max(ratio, 1 / ratio) : 1;
  const auto shortest = static_cast<double>(predicted.least_wall_ns);
  const auto longest = static_cast<double>(predicted.wall_ns);
  const auto low = shortest / (1 + errors.error) / off;
  const auto high = longest / (1 - errors.error) * off;
  // Of a run that hardly replays at all, the band ends somewhere.
  constexpr double most = 9e18;
  return {static_cast<std::int64_t>(std::floor(low)),
          static_cast<std::int64_t>(std::ceil(std::min(high, most))),
          fixes,
          errors,
          {}};
}

// What programs gain by a fix that finds nothing to change, no recorded pair shows: they may have
// been put right in another way.
bool is_without_effect(const Prediction& predicted, const ReplayResult& replay) {
  const auto wall = static_cast<double>(replay.wall_ns);
  return wall > 0 && wall - static_cast<double>(predicted.wall_ns) < assumed::noteworthy * wall;
}

}  // namespace

bool is_in_doubt(const Prediction& predicted, std::int64_t wall_ns) {
  return static_cast<double>(predicted.wall_ns - predicted.least_wall_ns) >
         assumed::noteworthy * static_cast<double>(wall_ns);
}

Validity validity_of(const Prediction& predicted, const ReplayResult& replay) {
  Validity validity = validity_of(predicted, replay, recorded_accuracy);
  if (validity.band) validity.band->kept_aside = kept_aside;
  return validity;
}

Validity validity_of(const Prediction& predicted, const ReplayResult& replay,
                     const RecordedAccuracy& known) {
  const Changed& changed = predicted.changed;
  if (changed.special) return {std::nullopt, *changed.special};
  if (changed.fixes.size() != 1) return {std::nullopt, NotValidated::several_fixes};
  const Cause fix = changed.fixes.front();
  const ClassErrors& errors = known.of(class_of(fix));
  const auto not_for = [&](NotValidated reason) {
    return Validity{std::nullopt, reason, fix, errors.least_busy};
  };
  if (!known.knows(fix)) return not_for(NotValidated::fix);
  if (rule::no_band_in_doubt && is_in_doubt(predicted, replay.wall_ns)) {
    return not_for(predicted.doubt == Doubt::sharing ? NotValidated::sharing
                                                     : NotValidated::last_wave);
  }
  if (rule::no_band_for_values && fix == Cause::host_sync && predicted.waits_for_values)
    return not_for(NotValidated::values);
  if (rule::no_band_for_races && fix == Cause::stream_order && predicted.has_races)
    return not_for(NotValidated::races);
  if (rule::no_band_without_load && predicted.busy_share < errors.least_busy)
    return not_for(NotValidated::idle);
  if (rule::no_band_without_effect && is_without_effect(predicted, replay))
    return not_for(NotValidated::without_effect);
  return {band_around(predicted, replay, class_of(fix), errors)};
}

void judge_validity(const ReplayResult& replay, Prediction& predicted) {
  predicted.validity = validity_of(predicted, replay);
  predicted.is_open = is_in_doubt(predicted, replay.wall_ns);
}

void judge_validity(CausesResult& result) {
  for (auto* list : {&result.findings, &result.questions}) {
    for (FindingResult& one : *list) judge_validity(result.replay, one.predicted);
  }
}

}  // namespace lapscope::analyzer
