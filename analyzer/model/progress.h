#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace lapscope::analyzer {

// The progress of a long task, in steps of about the same length. The threads that do the task
// update the progress, and another thread shows it. While `expected` is 0, the progress is not
// known.
struct Progress {
  std::atomic<std::size_t> part = 0;  // the current part, of a task with several in sequence
  std::atomic<std::int64_t> expected = 0;
  std::atomic<std::int64_t> done = 0;

  // Begins the part `next`. `steps`: the steps of this part; 0 if it does not report its progress.
  void begin(std::size_t next, std::int64_t steps) {
    expected = 0;
    done = 0;
    part = next;
    expected = steps;
  }
};

// advance() reports steps that are done. skip_steps() reports steps that turn out to be
// unnecessary. `progress` may be null.
inline void advance(Progress* progress, std::int64_t steps) {
  if (progress) progress->done += steps;
}
inline void skip_steps(Progress* progress, std::int64_t steps) {
  if (progress) progress->expected -= steps;
}

}  // namespace lapscope::analyzer
