#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

// Some ops of a device by index, ascending, which is by start. All of them cost no memory.
class OpSet {
 public:
  OpSet() = default;
  static OpSet all_of(const Ops& ops);
  static OpSet of(std::vector<std::uint32_t> ascending);
  // Like of(), for an existing set, which keeps its memory.
  void assign(const std::vector<std::uint32_t>& ascending);

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::uint32_t operator[](std::size_t i) const {
    return listed_.empty() ? static_cast<std::uint32_t>(i) : listed_[i];
  }

 private:
  std::size_t size_ = 0;
  std::vector<std::uint32_t> listed_;  // empty when all are meant
};

// What is evaluated of a device: a window, and the ops that belong to it. An op that reaches over
// the window's border counts with the part inside.
//
//   window        |------------|
//   ops      [aaaa|aaa]  [bb]  |  [cc]     a counts from the border on, c is not in the scope
//
// Where ops of the device are left out, the scope also has the times in which the device ran any:
// time in which only those ran is other work, and not idle.
struct Scope {
  Interval window;
  OpSet ops;
  std::shared_ptr<const IntervalSet> device_busy = nullptr;  // null where no op is left out

  // The part of an op that is inside; of a length of 0 or less when none is.
  Interval clipped(const Ops& all, std::uint32_t op) const {
    return {std::max(all.start[op], window.start), std::min(all.end[op], window.end)};
  }
};

// How the ops of a scope were chosen.
enum class ScopeKind {
  device,    // all of a device
  window,    // what reaches into an interval of time
  nvtx,      // what NVTX ranges of one name issued
  profiler,  // what was issued between cudaProfilerStart and cudaProfilerStop
  steady,    // what the program is for, as far as the trace shows it
};

std::string_view name_of(ScopeKind kind);

// When an op was issued; when it started, if its call is not in the trace.
inline Ns time_of_issue(const Ops& ops, const Calls& calls, std::uint32_t op) {
  return ops.issue[op] == no_index ? ops.start[op] : calls.start[ops.issue[op]];
}

// All ops, from the first start to the last end. Requires at least one op.
Scope whole(const Ops& ops);

// An interval of time, as given: it may begin or end with idle time. Empty when no op reaches into
// it.
std::optional<Scope> within(const Ops& ops, Interval window);

// Some ops, ascending, from their first start to their last end: what an NVTX range caused,
// whenever it ran. Empty when there are none.
std::optional<Scope> of_ops(const Ops& ops, std::vector<std::uint32_t> chosen);

// The ops that any process issued in an interval of time. If the call of an op is not in the trace,
// the op's start counts instead. Empty when there are none.
std::optional<Scope> issued_between(const Ops& ops, const Calls& calls, Interval stretch);

// When a device ran anything.
IntervalSet busy_of(const Ops& ops);

// The ops whose issuing calls, of any thread of these processes, lie inside one of the intervals:
// what a program did between cudaProfilerStart and cudaProfilerStop. Empty when that was nothing.
struct ProcessStretches {
  std::uint32_t pid = 0;
  IntervalSet stretches;
};
std::optional<Scope> issued_while(const Ops& ops, const Calls& calls,
                                  const std::vector<ProcessStretches>& processes);

}  // namespace lapscope::analyzer
