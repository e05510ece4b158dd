#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace lapscope::workloads {

// CPU work of a given length with a result that can be checked. The work applies the map `step` to
// a number until the time is over. A fixed number of applications would last longer if a profiler
// or another process shares the core.
class HostWork {
 public:
  // Measures the time of the work. The measurement takes twice `length`.
  explicit HostWork(std::chrono::microseconds length);

  // Does the work once. Several threads may call it at the same time.
  void perform();

  // Returns the measured time of the work in us, slightly above `length`.
  double us() const { return us_; }

  // Throws std::runtime_error unless the work was done exactly `times` times since the last reset,
  // each time with the right result.
  void verify(std::uint64_t times) const;
  void reset() { right_ = 0; }

 private:
  std::chrono::microseconds length_;
  double us_ = 0;
  std::atomic<std::uint64_t> right_ = 0;
};

}  // namespace lapscope::workloads
