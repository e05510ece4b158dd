#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <tuple>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/machine/throughput_clock.h"

namespace lapscope::analyzer {

// When the kernels that share the throughput of one device (ThroughputClock) end, each at a reading
// of the clock that is known when it starts.
class SharedThroughput {
 public:
  // The next kernel that ends, or lets others in, if nothing else happens before.
  struct Next {
    std::uint32_t task = no_index;
    Ns time = 0;
    std::uint32_t version = 0;  // above 0; only the newest counts
    bool ends = true;
  };

  ThroughputClock& clock() { return clock_; }
  const ThroughputClock& clock() const { return clock_; }
  // A kernel that was added ends once it got as far as alone in `work` ns, and lets others in
  // `last_wave_overlap` before that, if above 0.
  void end_after(std::uint32_t task, double work, double last_wave_overlap);
  // The newest one has come about.
  void take_first() {
    std::pop_heap(marks_.begin(), marks_.end(), std::greater<>());
    marks_.pop_back();
    last_.reset();
  }

  // Empty when that was the last answer, and when there is none.
  std::optional<Next> next(Ns now);
  bool is_newest(std::uint32_t version) const { return version == version_; }

 private:
  void mark(double reading, bool is_last_wave, std::uint32_t task);

  // Reading of the clock, whether it lets in (ends come first), task: a heap with the next one
  // first. One that was crowded is there with its first blocks, too.
  std::vector<std::tuple<double, bool, std::uint32_t>> marks_;
  ThroughputClock clock_;
  std::optional<Next> last_;
  std::uint32_t version_ = 0;
};

}  // namespace lapscope::analyzer
