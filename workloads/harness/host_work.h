#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace lapscope::workloads {

// Work of a given length for the processor, with a result that can be checked. The work applies the
// map `step` to a number until the time is over. A fixed number of steps would take longer
// if a profiler or another process used the same core.
class HostWork {
 public:
  // Does the work twice to measure it.
  explicit HostWork(std::chrono::microseconds length);

  // Does the work once. Several threads may call this at the same time.
  void perform();

  // Returns how long the work takes, in us. This is slightly more than `length`.
  double us() const { return us_; }

  // Throws std::runtime_error unless the work was done exactly `times` times since the last reset,
  // always with the right result.
  void verify(std::uint64_t times) const;
  void reset() { right_ = 0; }

 private:
  std::chrono::microseconds length_;
  double us_ = 0;
  std::atomic<std::uint64_t> right_ = 0;
};

}  // namespace lapscope::workloads
