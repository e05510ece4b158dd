#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace lapscope::analyzer {

// How far a long work has come, in steps of about the same length; written by the threads that do
// it, and looked at by another one that wants to show it. Nothing is known while `expected` is 0.
struct Progress {
  std::atomic<std::size_t> part = 0;  // of a work that has several, one after the other
  std::atomic<std::int64_t> expected = 0;
  std::atomic<std::int64_t> done = 0;

  // `steps` are the steps of this part; 0 when it does not report how far it has come.
  void begin(std::size_t next, std::int64_t steps) {
    expected = 0;
    done = 0;
    part = next;
    expected = steps;
  }
};

// Steps that were made, and steps that turn out not to be needed. `progress` may be null.
inline void advance(Progress* progress, std::int64_t steps) {
  if (progress) progress->done += steps;
}
inline void skip_steps(Progress* progress, std::int64_t steps) {
  if (progress) progress->expected -= steps;
}

}  // namespace lapscope::analyzer
