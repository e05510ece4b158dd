#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace lapscope::workloads {

// Work for the CPU that lasts a given time and whose result can be checked: the map `step` applied
// to one number until the time is over. A fixed number of applications would last longer whenever
// something else, such as a profiler, shares the core.
class HostWork {
 public:
  // Measures the work; takes twice as long as it.
  explicit HostWork(std::chrono::microseconds length);

  // Does the work once. Any number of threads may call it at once.
  void perform();

  // How long the work took when it was measured, in us: `length` and a little.
  double us() const { return us_; }

  // Throws std::runtime_error unless the work was done `times` times since the last reset, with the
  // right result each time.
  void verify(std::uint64_t times) const;
  void reset() { right_ = 0; }

 private:
  std::chrono::microseconds length_;
  double us_ = 0;
  std::atomic<std::uint64_t> right_ = 0;
};

}  // namespace lapscope::workloads
