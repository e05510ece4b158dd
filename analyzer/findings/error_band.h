#pragma once

#include <cstdint>

#include "analyzer/findings/causes_result.h"

namespace lapscope::analyzer {

// Between what and what a program with a fix takes, in ns, if its prediction misses by no more than
// those of recorded pairs did (recorded_accuracy.h), and by what the replay of the unchanged run is
// off besides. Nothing promises that: those programs are small, and what their host does is the
// same with the fix and without.
struct ErrorBand {
  std::int64_t low_ns = 0;
  std::int64_t high_ns = 0;
};

// `replay` is that of the unchanged run. One without a length is taken to be right.
ErrorBand error_band(std::int64_t predicted_ns, const ReplayResult& replay);

}  // namespace lapscope::analyzer
