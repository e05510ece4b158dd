#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "analyzer/findings/causes_result.h"
#include "analyzer/findings/validity.h"

// How far a prediction may miss: split-conformal bands. On each side the end is as far out as the
// residual of rank 0.95 (n + 1) of n recorded programs like it, so that nine of ten new programs
// lie between the two, whatever the distribution of the residuals. Programs that take less than the
// shorter end and programs that take more than the longer one are distinguished: a promise that is
// not kept is not the same as one that is surpassed.
namespace lapscope::analyzer {

struct RecordedAccuracy {
  std::span<const Residuals> groups;       // the narrowest first; the last one takes everything
  std::span<const std::string_view> gpus;  // names of those that programs were recorded on
  double other_gpu = 1;                    // by this factor a band is wider on both sides, else
  HeldOut held_out;
};

// Evaluates by the recorded programs that lapscope knows of (recorded_accuracy.h). `replay` is the
// replay of the unchanged run, `gpu` the name of its device.
Validity validity_of(const Prediction& predicted, const ReplayResult& replay, std::string_view gpu);
Validity validity_of(const Prediction& predicted, const ReplayResult& replay, std::string_view gpu,
                     const RecordedAccuracy& known);

// Evaluates a prediction by itself: sets Prediction::validity and is_open.
void judge_validity(const ReplayResult& replay, std::string_view gpu, Prediction& predicted);
// Evaluates the predictions of all findings and questions.
void judge_validity(std::string_view gpu, CausesResult& result);

}  // namespace lapscope::analyzer
