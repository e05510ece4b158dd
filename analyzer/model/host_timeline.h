#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

// Finds the range and the overhead that a host thread was in at a time. One object is made per
// trace, for many queries. The trace must outlive the object.
class HostTimeline {
 public:
  explicit HostTimeline(const Trace& trace);

  // Returns the overheads of a thread, disjoint and sorted by start. If two recorded overheads
  // overlap, the common time belongs to the first one.
  std::span<const Overhead> overheads_of(std::int64_t global_tid) const;

  // Returns the innermost NVTX range that a thread was in at `time`; no_index if none.
  std::uint32_t innermost_range(std::int64_t global_tid, Ns time) const;

  // The range that is innermost for the longest time within an interval. `ns` is this time. `range`
  // is no_index if the thread is outside all ranges for even longer.
  struct Around {
    std::uint32_t range = no_index;
    Ns ns = 0;
  };
  Around around_most_of(std::int64_t global_tid, Interval interval) const;

  // Returns the innermost range around a range; no_index if there is none.
  std::uint32_t range_around(std::uint32_t range) const { return around_[range]; }

 private:
  void skip(const std::vector<std::uint32_t>& depths);

  const Trace& trace_;
  std::map<std::int64_t, Overheads> overheads_;                // by thread
  std::map<std::int64_t, std::vector<std::uint32_t>> ranges_;  // by thread, by start
  std::vector<std::uint32_t> around_;                          // by range
  // A shortcut from a range to an outer range `to`. `ends` is the latest end of the range and of
  // the ranges between the two. With shortcuts, innermost_range() takes logarithmic time.
  struct Skip {
    std::uint32_t to = no_index;
    Ns ends = 0;
  };
  std::vector<Skip> skips_;  // by range; empty if ranges do not nest deeply
};

}  // namespace lapscope::analyzer
