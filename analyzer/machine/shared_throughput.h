#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <tuple>
#include <vector>

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

  // Returns the next event. Returns nullopt if there is none, or if it equals the event that was
  // returned last.
  std::optional<Next> next(Ns now);
  bool is_newest(std::uint32_t version) const { return version == version_; }

 private:
  void mark(double reading, bool is_last_wave, std::uint32_t task);

  // An event of a task: the end of the kernel (false) or the begin of its last wave (true). The
  // first member is the reading of the clock. At equal readings, ends come before last waves. A
  // kernel that lost room has two ends: the end of its first blocks and its own end.
  using Mark = std::tuple<double, bool, std::uint32_t>;
  std::priority_queue<Mark, std::vector<Mark>, std::greater<>> marks_;  // the next event on top
  ThroughputClock clock_;
  std::optional<Next> last_;
  std::uint32_t version_ = 0;
};

}  // namespace lapscope::analyzer
