#pragma once

#include <cstddef>
#include <cstdint>

#include "analyzer/analysis/timeline.h"

namespace lapscope::reports {

// What was done to a timeline that is too large for a page.
struct Thinning {
  std::size_t entries = 0;  // ops, calls and ranges before
  std::size_t kept = 0;     // and after
  // Shorter ones were joined, in ns; 0: nothing was.
  std::int64_t shorter_op_ns = 0;
  std::int64_t shorter_span_ns = 0;  // calls and ranges
};

// How many entries a page of 10 MB has room for.
struct Room {
  std::size_t ops = 0;
  std::size_t spans = 0;
};
Room room_for(const analyzer::Timeline& timeline);

// Makes a timeline that fits, about, by joining neighbours of a lane or thread that are shorter
// than a time and begin within that time of the first of them: they become one entry, from the
// first start to the last end, with all their bytes, the name of the first and no call. The time is
// doubled until few enough are left; longer ones stay as they are. An op whose call was joined
// leads to what it was joined to.
Thinning thin(analyzer::Timeline& timeline, Room room);

}  // namespace lapscope::reports
