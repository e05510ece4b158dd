#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "analyzer/findings/causes_result.h"
#include "analyzer/findings/validity.h"

// How far a prediction may be from the truth: split-conformal bands. For each side of the band, the
// residuals of n comparable recorded programs are sorted. The side ends at the residual with the
// number 0.95 (n + 1). So the band contains the measured times of nine of ten new programs, for any
// distribution of the residuals. The lower side is relative to the shorter end of the prediction,
// and the upper side to the longer end.
namespace lapscope::analyzer {

struct RecordedAccuracy {
  std::span<const Residuals> groups;       // the narrowest first; the last one fits all
  std::span<const std::string_view> gpus;  // names of the GPUs that programs ran on
  double other_gpu = 1;                    // widens both sides of a band for other GPUs
  HeldOut held_out;
};

// Returns how far a prediction may be from the truth. `known` has the errors for recorded programs,
// by default those of recorded_accuracy.h. `gpu` is the name of the device in the unchanged run.
Validity validity_of(const Prediction& predicted, const ReplayResult& replay, std::string_view gpu);
Validity validity_of(const Prediction& predicted, const ReplayResult& replay, std::string_view gpu,
                     const RecordedAccuracy& known);

void judge_validity(const ReplayResult& replay, std::string_view gpu, Prediction& predicted);
// Calls judge_validity() for the predictions of all findings, questions and small savings of
// `result`.
void judge_validity(std::string_view gpu, CausesResult& result);

}  // namespace lapscope::analyzer
