#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analyzer/explain/blame.h"

namespace lapscope::analyzer {

// An op on the critical path, and a call. Both may have run beyond the interval that they are
// listed with: their own times identify them in the trace.
struct PathOp {
  std::string name;          // a kernel's, or "copy h2d"
  std::int64_t device = 0;   // its id
  std::uint32_t stream = 0;  // its id
  Interval interval;
};
struct PathCall {
  std::string name;    // of the function
  std::string thread;  // as "thread 4711"
  Interval interval;
};

// An interval of the critical path: what the wall time was spent on, going back from the last end
// to the first start along what delayed each op. Intervals follow each other and fill the window.
struct PathStretch {
  Interval interval;
  // What it was. Several rows, as in blame, where short parts of the path are merged into one.
  std::vector<BlameRow> parts;
  std::int64_t merged = 1;  // so many parts of the path
  // For an interval that is one part: the op that ran, or that waited, and the call that the host
  // was in, or the call of the thread that did the host's own work.
  std::optional<PathOp> op;
  std::optional<PathCall> call;
};

// A critical path in short: its `most` longest parts one by one, and what lies between two of them
// as one interval. They fill the same window and sum to the same blame, and are never more than 2 *
// most + 1, however long the path is. `device` is the one whose path it is.
std::vector<PathStretch> stretches_of(const Sources& sources, std::span<const Part> path,
                                      std::uint16_t device, std::size_t most);

}  // namespace lapscope::analyzer
