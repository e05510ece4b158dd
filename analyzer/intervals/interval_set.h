#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "analyzer/intervals/units.h"

namespace lapscope::analyzer {

// Half-open interval of time [start, end), integer ns. Empty when end == start.
struct Interval {
  Ns start = 0;
  Ns end = 0;

  Ns length() const { return end - start; }
  // Returns the part of the interval that is inside `window`; an empty interval if there is none.
  Interval within(const Interval& window) const {
    const Ns from = std::max(start, window.start);
    return {from, std::max(from, std::min(end, window.end))};
  }
  void extend_to(const Interval& other) {
    start = std::min(start, other.start);
    end = std::max(end, other.end);
  }
  friend bool operator==(const Interval&, const Interval&) = default;
};

// A set of instants: sorted intervals that neither overlap nor touch. All arithmetic is exact.
class IntervalSet {
 public:
  IntervalSet() = default;

  // Returns the union of intervals. They may be in any order, but each must have end >= start.
  // Intervals that touch or overlap become one interval.
  static IntervalSet union_of(std::vector<Interval> intervals);

  std::span<const Interval> intervals() const { return intervals_; }
  bool empty() const { return intervals_.empty(); }

  // Whether one interval of the set contains all of `interval`.
  bool contains(const Interval& interval) const;
  // Returns the index of the first interval that ends after `time`, or intervals().size().
  std::size_t first_ending_after(Ns time) const;

  Ns length() const;
  Ns length_in(const Interval& interval) const;

 private:
  friend IntervalSet unite(const IntervalSet& a, const IntervalSet& b);
  friend IntervalSet intersect(const IntervalSet& a, const IntervalSet& b);
  friend IntervalSet subtract(const IntervalSet& a, const IntervalSet& b);
  std::vector<Interval> intervals_;
};

// Return a ∪ b, a ∩ b and a \ b. The time is linear in the number of intervals.
IntervalSet unite(const IntervalSet& a, const IntervalSet& b);
IntervalSet intersect(const IntervalSet& a, const IntervalSet& b);
IntervalSet subtract(const IntervalSet& a, const IntervalSet& b);

}  // namespace lapscope::analyzer
