#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <tuple>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/machine/throughput_clock.h"

namespace lapscope::analyzer {

// The ends of the kernels that share the throughput of one device. A kernel ends when the
// ThroughputClock shows a certain value, which is known when the kernel starts.
class SharedThroughput {
 public:
  // The next event: a kernel ends (`ends`), or its last wave begins. The event is out of date if
  // another kernel starts or ends first.
  struct Next {
    std::uint32_t task = no_index;
    Ns time = 0;
    std::uint32_t version = 0;  // above 0; only the newest counts
    bool ends = true;
  };

  ThroughputClock& clock() { return clock_; }
  const ThroughputClock& clock() const { return clock_; }
  // Sets the end of a kernel that was added to clock(). The kernel ends when it has done work that
  // would take `work` ns alone. If `last_wave_overlap` is above 0, the last wave leaves room when
  // `last_wave_overlap` ns of this work remain.
  void end_after(std::uint32_t task, double work, double last_wave_overlap);
  // Removes the event that next() returned last. Call this when the event has occurred.
  void take_first() {
    marks_.pop();
    last_.reset();
  }

  // Returns the next event. Empty if there is none, or if it equals the event that was returned
  // last.
  std::optional<Next> next(Ns now);
  bool is_newest(std::uint32_t version) const { return version == version_; }

 private:
  void mark(double reading, bool is_last_wave, std::uint32_t task);

  // The reading of the clock at an event, whether the event is the begin of a last wave, and the
  // task. At equal readings, kernels end before last waves begin. A kernel that lost room has a
  // second event: the end of its first blocks.
  using Mark = std::tuple<double, bool, std::uint32_t>;
  std::priority_queue<Mark, std::vector<Mark>, std::greater<>> marks_;  // the next event on top
  ThroughputClock clock_;
  std::optional<Next> last_;
  std::uint32_t version_ = 0;
};

}  // namespace lapscope::analyzer
