// Written by tests/approve.sh from tests/traces; docs/what-if-accuracy.md has each pair.
#pragma once

namespace lapscope::analyzer {

// By what share predictions of recorded pairs of small programs missed what the program that was
// put right takes without a recorder: |predicted / measured - 1|.
struct RecordedAccuracy {
  int pairs;
  double median_error;
  double worst_error;
};

inline constexpr RecordedAccuracy recorded_accuracy{47, 0.0226, 0.0700};

}  // namespace lapscope::analyzer
