#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace lapscope::analyzer {

// The progress of a long task, in steps of about equal length. The threads of the task update it,
// and another thread shows it. The progress is not known while `expected` is 0.
struct Progress {
  std::atomic<std::size_t> part = 0;  // the current part, if the task has several
  std::atomic<std::int64_t> expected = 0;
  std::atomic<std::int64_t> done = 0;

  // Begins the part `next` of the task. `steps` is its number of steps; 0 if this part does not
  // report progress.
  void begin(std::size_t next, std::int64_t steps) {
    expected = 0;
    done = 0;
    part = next;
    expected = steps;
  }
};

// advance() reports finished steps. skip_steps() reports steps that are not needed. `progress` may
// be null.
inline void advance(Progress* progress, std::int64_t steps) {
  if (progress) progress->done += steps;
}
inline void skip_steps(Progress* progress, std::int64_t steps) {
  if (progress) progress->expected -= steps;
}

}  // namespace lapscope::analyzer
