#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/analysis/report.h"
#include "analyzer/scope/scope.h"

namespace lapscope::analyzer {

// The streams of a scope that have ops, by process and id.
std::vector<StreamResult> streams_of(const Device& device, const Scope& scope);

// Collects from a sweep how long each pair of streams ran something together. Of the 16 busiest
// streams: pairs grow with the square.
class StreamOverlapObserver {
 public:
  StreamOverlapObserver(const Device& device, const std::vector<StreamResult>& streams);

  void begin(std::uint32_t op, Interval clipped);
  void end(std::uint32_t op);
  void stretch(Interval interval) { time_in_[active_] += interval.length(); }

  // The pairs that overlap.
  std::vector<StreamOverlap> overlaps() const;

 private:
  const Device& device_;
  std::vector<std::uint8_t> slot_;      // by stream
  std::vector<std::uint32_t> chosen_;   // the stream of each slot
  std::vector<std::uint32_t> running_;  // ops by slot
  std::uint32_t active_ = 0;            // a bit for each slot
  std::vector<std::int64_t> time_in_;   // ns, by active slots
};

}  // namespace lapscope::analyzer
