#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/analysis/report.h"
#include "analyzer/intervals/units.h"
#include "analyzer/measures/activity.h"
#include "analyzer/measures/collectives.h"
#include "analyzer/scope/scope.h"

// The tables of a device beside its measures.
namespace lapscope::analyzer {

std::vector<EngineResult> engines_of(const Activity& activity);

std::vector<ClassOverlap> class_overlaps_of(const Activity& activity);

std::vector<CollectiveResult> describe_collectives(const Names& names,
                                                   const std::vector<Collective>& collectives);

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
  std::vector<Ns> time_in_;             // by active slots
};

// Collects how busy each engine was over time, from a sweep in which the activity is observed, too.
class StripObserver {
 public:
  // `activity` must outlive it.
  StripObserver(const ActivityObserver& activity, Interval window);

  void begin(std::uint32_t, Interval) {}
  void end(std::uint32_t) {}
  void stretch(Interval interval);
  void other_work(Interval interval);

  // After the sweep.
  const ActivityStrip& strip() const { return strip_; }

 private:
  // Calls add(interval of the strip, ns) for each part of an interval.
  template <class F>
  void for_each_part(Interval interval, F&& add);

  const ActivityObserver& activity_;
  ActivityStrip strip_;
  std::size_t now_ = 0;  // the interval of the strip that the sweep is in
};

}  // namespace lapscope::analyzer
