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

// A set of ops of a device, sorted by index and start. The set of all ops stores no indices.
class OpSet {
 public:
  OpSet() = default;
  static OpSet all_of(const Ops& ops);
  static OpSet of(std::vector<std::uint32_t> ascending);
  // Does the same as `*this = of(ascending)`, but reuses the memory of this set.
  void assign(const std::vector<std::uint32_t>& ascending);

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::uint32_t operator[](std::size_t i) const {
    return listed_.empty() ? static_cast<std::uint32_t>(i) : listed_[i];
  }

 private:
  std::size_t size_ = 0;
  std::vector<std::uint32_t> listed_;  // empty: all ops
};

// The evaluated part of a device's work: a window, and the ops that belong to it. If an op crosses
// a border of the window, only the part inside belongs to the scope.
//
//   window        |------------|
//   ops      [aaaa|aaa]  [bb]  |  [cc]     in the scope: [aaa] and [bb]
//
// If some ops of the device are not in the scope, `device_busy` has the times in which any op ran.
// Time with only ops outside the scope is other work, not idle time.
struct Scope {
  Interval window;
  OpSet ops;
  std::shared_ptr<const IntervalSet> device_busy = nullptr;  // null where no op is left out

  // Returns the part of an op inside the window. Its length is 0 or less if the op is outside.
  Interval clipped(const Ops& all, std::uint32_t op) const {
    return {std::max(all.start[op], window.start), std::min(all.end[op], window.end)};
  }
};

// How the ops of a scope were chosen.
enum class ScopeKind {
  device,    // all ops of a device
  window,    // ops that reach into an interval of time
  nvtx,      // ops that NVTX ranges of one name issued
  profiler,  // ops issued between cudaProfilerStart and cudaProfilerStop
  steady,    // ops of the steady state
};

std::string_view name_of(ScopeKind kind);

// Returns the time at which an op was issued, or its start if its call is not in the trace.
inline Ns time_of_issue(const Ops& ops, const Calls& calls, std::uint32_t op) {
  return ops.issue[op] == no_index ? ops.start[op] : calls.start[ops.issue[op]];
}

// Returns the scope of all ops, from the first start to the last end. Requires at least one op.
Scope whole(const Ops& ops);

// Returns the scope of the ops that reach into `window`. The window may begin or end with idle
// time. Returns empty if there are no such ops.
std::optional<Scope> within(const Ops& ops, Interval window);

// Returns the scope of the chosen ops, such as those of an NVTX range, from the first start to the
// last end. The indices must ascend. Returns empty if no ops are chosen.
std::optional<Scope> of_ops(const Ops& ops, std::vector<std::uint32_t> chosen);

// Returns the scope of the ops that any process issued within `stretch` (time_of_issue()). Returns
// empty if there are no such ops.
std::optional<Scope> issued_between(const Ops& ops, const Calls& calls, Interval stretch);

// Returns the times at which a device ran any op.
IntervalSet busy_of(const Ops& ops);

// The intervals of one process, such as those from cudaProfilerStart to cudaProfilerStop.
struct ProcessStretches {
  std::uint32_t pid = 0;
  IntervalSet stretches;
};
// Returns the scope of the ops that each process issued within its intervals. Returns empty if
// there are no such ops.
std::optional<Scope> issued_while(const Ops& ops, const Calls& calls,
                                  const std::vector<ProcessStretches>& processes);

}  // namespace lapscope::analyzer
