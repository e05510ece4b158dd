// Written by tests/approve.sh from tests/traces; docs/what-if-accuracy.md has each pair.
#pragma once

namespace lapscope::analyzer {

// By what share predictions of recorded pairs of small programs missed what the program that was
// put right takes without a recorder: |predicted / measured - 1|, of a range from its nearer end.
struct RecordedAccuracy {
  int pairs;
  double median_error;
  double worst_error;
};

inline constexpr RecordedAccuracy recorded_accuracy{47, 0.0215, 0.0694};

}  // namespace lapscope::analyzer
