#pragma once

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
  friend bool operator==(const Interval&, const Interval&) = default;
};

// A set of instants as sorted, disjoint, non-empty, non-touching intervals. All arithmetic is
// exact.
class IntervalSet {
 public:
  IntervalSet() = default;

  // The union of any intervals, in any order. Empty ones add nothing; touching ones become one. The
  // caller guarantees end >= start.
  static IntervalSet union_of(std::vector<Interval> intervals);

  std::span<const Interval> intervals() const { return intervals_; }
  bool empty() const { return intervals_.empty(); }

  // Whether one of the intervals holds all of this one.
  bool contains(const Interval& interval) const;
  // The first interval that ends after an instant; intervals().size() when none does.
  std::size_t first_ending_after(Ns time) const;

  // Total length in ns, and of what lies within an interval.
  Ns length() const;
  Ns length_in(const Interval& interval) const;

 private:
  friend IntervalSet unite(const IntervalSet& a, const IntervalSet& b);
  friend IntervalSet intersect(const IntervalSet& a, const IntervalSet& b);
  friend IntervalSet subtract(const IntervalSet& a, const IntervalSet& b);
  std::vector<Interval> intervals_;
};

// a ∪ b, a ∩ b and a \ b, in time linear in the number of intervals.
IntervalSet unite(const IntervalSet& a, const IntervalSet& b);
IntervalSet intersect(const IntervalSet& a, const IntervalSet& b);
IntervalSet subtract(const IntervalSet& a, const IntervalSet& b);

}  // namespace lapscope::analyzer
