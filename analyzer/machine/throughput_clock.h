#pragma once

#include <cstdint>

#include "analyzer/intervals/units.h"
#include "analyzer/measures/demand.h"

namespace lapscope::analyzer {

// The throughput of one device, shared by the kernels that run with all their blocks: each goes at
// the same part of the speed that it has alone, which depends on the sum of their demands. So one
// clock, the one of a kernel which runs all the time, shows how far each of them gets.
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
  // What runs changes now by a kernel of this demand, of which `doubt` is not known.
  void add(double demand, double doubt, Ns now) {
    pass(now);
    ++running_;
    demands_ += demand;
    doubts_ += doubt;
  }
  void remove(double demand, double doubt, Ns now) {
    pass(now);
    --running_;
    // With nothing left, nothing is left of what adding up was off by.
    demands_ = running_ == 0 ? 0 : demands_ - demand;
    doubts_ = running_ == 0 ? 0 : doubts_ - doubt;
  }

  double reading() const { return reading_; }
  double speed() const { return speed_at(demands_); }
  // For how long kernels slowed each other down of which it is not known what they share.
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
