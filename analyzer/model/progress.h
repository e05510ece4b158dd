#pragma once

#include <atomic>
#include <cstdint>

namespace lapscope::analyzer {

// How far a long work has come, in steps of about the same length; written by the threads that do
// it, and looked at by another one that wants to show it. Nothing is known while `expected` is 0.
struct Progress {
  std::atomic<std::int64_t> expected = 0;
  std::atomic<std::int64_t> done = 0;
};

}  // namespace lapscope::analyzer
