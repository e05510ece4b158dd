#include "analyzer/findings/error_band.h"

#include <algorithm>
#include <cmath>

#include "analyzer/findings/recorded_accuracy.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {

namespace {

// Of several classes of fixes, returns the one that is hardest to predict.
FixClass class_of(const Changed& changed) {
  FixClass fixes = FixClass::device;
  for (const Cause fix : changed.fixes) {
    if (class_of(fix) == FixClass::work) return FixClass::work;
    if (class_of(fix) == FixClass::host) fixes = FixClass::host;
  }
  return fixes;
}

// Whether even the shorter end of a prediction saves too little for a finding.
bool saves_little(const Prediction& predicted, const ReplayResult& replay) {
  return static_cast<double>(predicted.least_wall_ns) >
         (1 - assumed::least_saving) * static_cast<double>(replay.wall_ns);
}

bool is_like(const Residuals& group, const Prediction& predicted, bool is_little) {
  if (group.kind == PredictionKind::any) return true;
  // Only the group `any` has predictions that save too little for a finding.
  if (is_little) return false;
  const Changed& changed = predicted.changed;
  switch (group.kind) {
    case PredictionKind::fix:
      return changed.fixes.size() == 1 && code_of(changed.fixes.front()) == group.fix;
    case PredictionKind::fix_class:
      return class_of(changed) == group.fixes;
    case PredictionKind::estimate:
      return class_of(changed) != FixClass::work;
    default:
      return true;
  }
}

}  // namespace

Validity validity_of(const Prediction& predicted, const ReplayResult& replay, std::string_view gpu,
                     const RecordedAccuracy& known) {
  const Changed& changed = predicted.changed;
  if (changed.special) return {std::nullopt, *changed.special};
  const bool is_little = saves_little(predicted, replay);
  const auto like = std::ranges::find_if(
      known.groups, [&](const Residuals& group) { return is_like(group, predicted, is_little); });
  if (like == known.groups.end()) return {};
  const bool is_other = std::ranges::find(known.gpus, gpu) == known.gpus.end();
  const double wider = is_other ? known.other_gpu : 1;
  const double low = static_cast<double>(predicted.least_wall_ns) * like->low / wider;
  const double high = static_cast<double>(predicted.wall_ns) * like->high * wider;
  const FixClass fixes = class_of(changed);
  ErrorBand band{static_cast<std::int64_t>(std::floor(low)),
                 static_cast<std::int64_t>(std::ceil(high)),
                 fixes,
                 *like,
                 is_other,
                 known.held_out};
  const bool saves = band.high_ns < replay.wall_ns;
  const Certainty certainty = fixes == FixClass::work ? Certainty::upper_bound
                              : saves                 ? Certainty::measured
                                                      : Certainty::unknown;
  return {std::move(band), {}, certainty};
}

Validity validity_of(const Prediction& predicted, const ReplayResult& replay,
                     std::string_view gpu) {
  return validity_of(predicted, replay, gpu, recorded_accuracy);
}

void judge_validity(const ReplayResult& replay, std::string_view gpu, Prediction& predicted) {
  predicted.validity = validity_of(predicted, replay, gpu);
  predicted.is_open = static_cast<double>(predicted.wall_ns - predicted.least_wall_ns) >
                      assumed::noteworthy * static_cast<double>(replay.wall_ns);
}

void judge_validity(std::string_view gpu, CausesResult& result) {
  for (auto* list : {&result.findings, &result.questions, &result.small_savings}) {
    for (FindingResult& one : *list) judge_validity(result.replay, gpu, one.predicted);
  }
}

}  // namespace lapscope::analyzer
