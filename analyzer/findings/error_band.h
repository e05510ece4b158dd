#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "analyzer/findings/causes_result.h"
#include "analyzer/findings/validity.h"
#include "analyzer/model/cause.h"

// How far a prediction may miss: by as much as those of recorded pairs did whose fix is of the same
// class, and only where there are such pairs.
namespace lapscope::analyzer {

struct RecordedAccuracy {
  ClassErrors host;
  ClassErrors device;
  // Codes of the fixes that have a band: of each there are several cases, and of its class so many
  // pairs that a tenth of them is not less than one.
  std::array<std::string_view, cause_count> codes{};

  const ClassErrors& of(FixClass fixes) const { return fixes == FixClass::host ? host : device; }
  bool knows(Cause cause) const {
    return std::find(codes.begin(), codes.end(), code_of(cause)) != codes.end();
  }
};

// By the recorded pairs that lapscope knows of (recorded_accuracy.h). `replay` is that of the
// unchanged run; one without a length is taken to be right.
Validity validity_of(const Prediction& predicted, const ReplayResult& replay);
Validity validity_of(const Prediction& predicted, const ReplayResult& replay,
                     const RecordedAccuracy& known);

// Whether the two ends of a prediction are so far apart that the trace leaves it open.
bool is_in_doubt(const Prediction& predicted, std::int64_t wall_ns);

// Judges a prediction by itself: Prediction::validity and is_open.
void judge_validity(const ReplayResult& replay, Prediction& predicted);
// Those of all findings and questions.
void judge_validity(CausesResult& result);

}  // namespace lapscope::analyzer
