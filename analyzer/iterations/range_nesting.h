#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "analyzer/model/host_timeline.h"
#include "analyzer/scope/range_work.h"

namespace lapscope::analyzer {

// Which NVTX range a call lies in, and which one that lies in: of its own thread or, where the
// thread helps (RangeWorkFinder), of the thread that it helps. Where several may be meant, that
// which began last. Refers to what it is made of.
class RangeNesting {
 public:
  RangeNesting(const Trace& trace, const HostTimeline& host, RangeThreads threads);

  // The innermost range that a thread works for at an instant; no_index when for none.
  std::uint32_t innermost(std::int64_t global_tid, std::int64_t time) const;
  // The range around a range; no_index when there is none. It comes before it in Trace::ranges.
  std::uint32_t around(std::uint32_t range) const { return around_[range]; }

 private:
  void find_open_ranges();
  void find_callers();

  const Trace& trace_;
  const HostTimeline& host_;
  const RangeThreads threads_;
  std::vector<std::uint32_t> around_;  // by range
  // By process: the range that began last of those that are open, from each instant on.
  std::map<std::uint32_t, std::vector<std::pair<std::int64_t, std::uint32_t>>> latest_;
};

}  // namespace lapscope::analyzer
