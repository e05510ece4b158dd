#pragma once

#include <cstdint>

#include "analyzer/intervals/units.h"
#include "analyzer/measures/demand.h"

namespace lapscope::analyzer {

// The throughput of one device, shared by the kernels that run with all their blocks. All these
// kernels run at the same fraction of the speed that they have alone. The fraction depends on the
// sum of their demands. So one clock shows the progress of all kernels. From the start to the end
// of a kernel, the reading of the clock grows by the ns that the kernel would take alone.
//
//   demands 0.8 and 0.6     A  AAAAAAA...      both go at 1 / 1.4 until A ends; then B is alone
//                           B  BBBBBBBBBB
class ThroughputClock {
 public:
  void pass(Ns now) {
    reading_ += static_cast<double>(now - now_) * speed();
    if (is_shared(demands_) && is_doubtful(doubts_)) in_doubt_ns_ += now - now_;
    now_ = now;
  }
  // add() adds a kernel at the time `now`, and remove() removes it. `doubt`: the part of its demand
  // that is not known.
  void add(double demand, double doubt, Ns now) {
    pass(now);
    ++running_;
    demands_ += demand;
    doubts_ += doubt;
  }
  void remove(double demand, double doubt, Ns now) {
    pass(now);
    --running_;
    // Sets the sums to exactly 0 when no kernel runs, which drops rounding errors.
    demands_ = running_ == 0 ? 0 : demands_ - demand;
    doubts_ = running_ == 0 ? 0 : doubts_ - doubt;
  }

  double reading() const { return reading_; }
  double speed() const { return speed_at(demands_); }
  // Returns the time in ns in which kernels slowed each other down by an unknown amount.
  Ns in_doubt_ns() const { return in_doubt_ns_; }

 private:
  double reading_ = 0;
  double demands_ = 0;
  double doubts_ = 0;
  std::uint32_t running_ = 0;
  Ns now_ = 0;
  Ns in_doubt_ns_ = 0;
};

}  // namespace lapscope::analyzer
