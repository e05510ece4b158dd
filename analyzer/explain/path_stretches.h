#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analyzer/explain/blame.h"

namespace lapscope::analyzer {

// An op or a call on the critical path. `interval` is its whole time, also the time that is not on
// the path.
struct PathOp {
  std::string name;          // kernel name, or "copy h2d"
  std::int64_t device = 0;   // its id
  std::uint32_t stream = 0;  // its id
  Interval interval;
};
struct PathCall {
  std::string name;    // of the function
  std::string thread;  // as "thread 4711"
  Interval interval;
};

// An interval of the critical path. These intervals follow each other and fill the window.
struct PathStretch {
  Interval interval;
  // The work or the waits that fill the interval. There may be several rows if parts are merged.
  std::vector<BlameRow> parts;
  std::int64_t merged = 1;  // the number of parts of the path in this interval
  // The op that ran or waited, and the call that the host was in. If the host worked between two
  // calls, `call` is the first of these calls. Both are set only if no parts are merged.
  std::optional<PathOp> op;
  std::optional<PathCall> call;
};

// Returns a critical path with fewer parts: at most 2 * most + 1 intervals. Keeps the `most`
// longest parts. Merges all parts between two kept parts to one interval. The intervals fill the
// same window as the path, and their blame adds up to that of the path. `device` is the device of
// the path.
std::vector<PathStretch> stretches_of(const Sources& sources, std::span<const Part> path,
                                      std::uint16_t device, std::size_t most);

}  // namespace lapscope::analyzer
