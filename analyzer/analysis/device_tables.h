#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/analysis/report.h"
#include "analyzer/intervals/units.h"
#include "analyzer/measures/activity.h"
#include "analyzer/scope/scope.h"

// The tables that a report shows for a device, in addition to its measures.
namespace lapscope::analyzer {

std::vector<EngineResult> engines_of(const Activity& activity);

std::vector<ClassOverlap> class_overlaps_of(const Activity& activity);

// Returns the streams that have ops in the scope, sorted by process and id.
std::vector<StreamResult> streams_of(const Device& device, const Scope& scope);

// Measures, during a sweep, how long each pair of streams ran ops at the same time. Considers only
// the 16 busiest streams, because `time_in_` has 2^n entries for n streams.
class StreamOverlapObserver {
 public:
  StreamOverlapObserver(const Device& device, const std::vector<StreamResult>& streams);

  void begin(std::uint32_t op, Interval clipped);
  void end(std::uint32_t op);
  void stretch(Interval interval) { time_in_[active_] += interval.length(); }

  std::vector<StreamOverlap> overlaps() const;

 private:
  const Device& device_;
  std::vector<std::uint8_t> slot_;      // by stream
  std::vector<std::uint32_t> chosen_;   // the stream of each slot
  std::vector<std::uint32_t> running_;  // ops by slot
  std::uint32_t active_ = 0;            // a bit for each slot, set while its stream runs an op
  std::vector<Ns> time_in_;             // by value of active_
};

// Measures, during a sweep, how busy each engine was over time. Needs an ActivityObserver that
// observes the same sweep.
class StripObserver {
 public:
  // `activity` must outlive this object.
  StripObserver(const ActivityObserver& activity, Interval window);

  void begin(std::uint32_t, Interval) {}
  void end(std::uint32_t) {}
  void stretch(Interval interval);
  void other_work(Interval interval);

  // After the sweep.
  const ActivityStrip& strip() const { return strip_; }

 private:
  // Splits `interval` at the strip's borders. Calls add(i, ns) for each part: `i` is the interval
  // of the strip that contains the part, and `ns` is the length of the part.
  template <class F>
  void for_each_part(Interval interval, F&& add);

  const ActivityObserver& activity_;
  ActivityStrip strip_;
  std::size_t now_ = 0;  // the interval of the strip that the sweep is in
};

}  // namespace lapscope::analyzer
