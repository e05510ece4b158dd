#pragma once

#include <cstddef>
#include <cstdint>

#include "analyzer/analysis/timeline.h"

namespace lapscope::reports {

// What was done to a timeline that is too large for a page.
struct Thinning {
  std::size_t entries = 0;      // ops, calls and ranges before
  std::size_t kept = 0;         // and after
  std::int64_t shorter_ns = 0;  // what is shorter was joined; 0: nothing was
};

// Makes a timeline of at most `limit` entries, about, by joining neighbours of a lane or thread
// that are shorter than a time and begin within that time of each other: they become one entry,
// from the first start to the last end, with all their bytes, the name of the first and no call.
// Longer ones stay as they are. The time is doubled until few enough are left. A call that ops
// refer to stays.
Thinning thin(analyzer::Timeline& timeline, std::size_t limit);

}  // namespace lapscope::reports
