#pragma once

#include <atomic>
#include <cstdint>

namespace lapscope::analyzer {

// How far the reading of a trace has come, in rows of its large tables; written by the threads that
// read, and looked at by another one that wants to show it. `expected` may be too large by rows
// that were deleted.
struct Progress {
  std::atomic<std::int64_t> expected = 0;
  std::atomic<std::int64_t> done = 0;
};

}  // namespace lapscope::analyzer
