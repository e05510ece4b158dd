#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/model/host_timeline.h"
#include "analyzer/scope/range_work.h"
#include "analyzer/scope/scope.h"

namespace lapscope::analyzer {

// Finds the NVTX range around a call, or around another range, in the same thread. If the thread
// has no such range, and `threads` is not RangeThreads::own, finds a range of another thread:
// - Around a call: of all open ranges of the process, the range that began last.
// - Around a range: of the ranges of threads that this thread helps (HelperThreads), the range that
//   began last.
//
// Keeps references to the trace and to the host timeline.
class RangeNesting {
 public:
  RangeNesting(const Trace& trace, const HostTimeline& host, RangeThreads threads);

  // The innermost range that a thread works for at `time`; no_index if it works for none.
  std::uint32_t innermost(std::int64_t global_tid, Ns time) const;
  // The range around a range; no_index if there is none. The outer range has the smaller index.
  std::uint32_t around(std::uint32_t range) const { return around_[range]; }

 private:
  // A start or an end of a range. After this border, `latest` is the open range that began last.
  // The number `border` is 2 * r for the start of the range r, and 2 * r + 1 for the end of r. It
  // takes half the memory of a time.
  struct Change {
    std::uint32_t border;
    std::uint32_t latest;  // no_index: no range is open
  };

  Ns time_of(const Change& change) const;
  void find_open_ranges();
  void find_callers();

  const Trace& trace_;
  const HostTimeline& host_;
  const RangeThreads threads_;
  std::vector<std::uint32_t> around_;                   // by range
  std::map<std::uint32_t, std::deque<Change>> latest_;  // by process, in order of time
};

// Returns the names of ranges, with * in place of digits: "step *" for "step 12". Names that differ
// only in digits become equal.
class RangePatterns {
 public:
  explicit RangePatterns(const Trace& trace) : trace_(trace) {}
  const std::string& of(std::uint32_t range);  // index in Trace::ranges

 private:
  const Trace& trace_;
  std::unordered_map<std::uint32_t, std::string> by_name_;
};

// Calls visit(op, range) for each op whose call lies in a range. `range` is the innermost range
// around the call.
template <class F>
void for_each_op_in_ranges(const Trace& trace, const Ops& ops, const OpSet& members,
                           const RangeNesting& nesting, F&& visit) {
  std::uint32_t last_call = no_index;  // the ops of a graph launch come from one call
  std::uint32_t range = no_index;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const std::uint32_t call = ops.issue[members[i]];
    if (call == no_index) continue;
    if (call != last_call) {
      range = nesting.innermost(trace.calls.threads[trace.calls.thread_of(call)].global_tid,
                                trace.calls.start[call]);
      last_call = call;
    }
    if (range != no_index) visit(members[i], range);
  }
}

// Returns the sum of the durations of the ops of each range, in ns. Includes ranges inside the
// range. Excludes kernels that communicate, if `communication` is not empty.
std::vector<Ns> work_by_range(const Trace& trace, const RangeNesting& nesting,
                              const std::vector<bool>& communication = {});

}  // namespace lapscope::analyzer
