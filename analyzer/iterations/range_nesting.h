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

// Which NVTX range a call lies in, and which one that lies in: of its own thread or, where the
// thread helps (RangeWorkFinder), of the thread that it helps. Where several may be meant, that
// which began last. Refers to what it is made of.
class RangeNesting {
 public:
  RangeNesting(const Trace& trace, const HostTimeline& host, RangeThreads threads);

  // The innermost range that a thread works for at an instant; no_index when for none.
  std::uint32_t innermost(std::int64_t global_tid, Ns time) const;
  // The range around a range; no_index when there is none. It comes before it in Trace::ranges.
  std::uint32_t around(std::uint32_t range) const { return around_[range]; }

 private:
  // The range that began last of those that are open, from an instant on. That is where a range
  // starts or ends, so that its index, twice, and one more for its end, takes half the memory.
  struct Change {
    std::uint32_t border;
    std::uint32_t latest;  // no_index: none is open
  };

  Ns time_of(const Change& change) const;
  void find_open_ranges();
  void find_callers();

  const Trace& trace_;
  const HostTimeline& host_;
  const RangeThreads threads_;
  std::vector<std::uint32_t> around_;                   // by range
  std::map<std::uint32_t, std::deque<Change>> latest_;  // by process, in time
};

// Names of ranges. Names that differ only in digits are one name: "step 12" is "step *".
class RangePatterns {
 public:
  explicit RangePatterns(const Trace& trace) : trace_(trace) {}
  const std::string& of(std::uint32_t range);  // index in Trace::ranges

 private:
  const Trace& trace_;
  std::unordered_map<std::uint32_t, std::string> by_name_;
};

// Calls visit(op, range) with each op whose call lies in a range, and the innermost such range.
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

// How long the GPU worked for each range and those inside it, in ns, by index in Trace::ranges.
std::vector<Ns> work_by_range(const Trace& trace, const RangeNesting& nesting);

}  // namespace lapscope::analyzer
