#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

// What every host thread was in when, made once per trace for asking many times. Refers to the
// trace, which must outlive it.
class HostTimeline {
 public:
  explicit HostTimeline(const Trace& trace);

  // A thread's overheads by start. They are disjoint: of those that overlap, the one that began
  // first counts until it ends.
  std::span<const Overhead> overheads_of(std::int64_t global_tid) const;

  // The innermost NVTX range that a thread was in at an instant; no_index when none.
  std::uint32_t innermost_range(std::int64_t global_tid, Ns time) const;

  // The range that is the innermost one for most of an interval, and for how long; no_index where
  // that is none.
  struct Around {
    std::uint32_t range = no_index;
    Ns ns = 0;
  };
  Around around_most_of(std::int64_t global_tid, Interval interval) const;

  // The range that a range lies in; no_index when in none.
  std::uint32_t range_around(std::uint32_t range) const { return around_[range]; }

 private:
  void skip(const std::vector<std::uint32_t>& depths);

  const Trace& trace_;
  std::map<std::int64_t, Overheads> overheads_;                // by thread
  std::map<std::int64_t, std::vector<std::uint32_t>> ranges_;  // by thread, by start
  std::vector<std::uint32_t> around_;                          // by range
  // For each range, one that lies far around it, and the latest end of all ranges on the way there,
  // itself included: however deep ranges nest, one that has not ended is found in the logarithm of
  // the depth.
  struct Skip {
    std::uint32_t to = no_index;
    Ns ends = 0;
  };
  std::vector<Skip> skips_;  // by range; empty where they do not nest deep
};

}  // namespace lapscope::analyzer
