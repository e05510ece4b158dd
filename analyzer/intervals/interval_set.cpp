#include "analyzer/intervals/interval_set.h"

#include <algorithm>
#include <iterator>

namespace lapscope::analyzer {
namespace {

// Appends an interval to a list. Merges it with the last interval if the two overlap or touch. The
// intervals must come in the order of their starts.
void append(std::vector<Interval>& merged, const Interval& next) {
  if (next.start == next.end) return;
  if (!merged.empty() && next.start <= merged.back().end) {
    merged.back().end = std::max(merged.back().end, next.end);
  } else {
    merged.push_back(next);
  }
}

bool starts_first(const Interval& a, const Interval& b) { return a.start < b.start; }

}  // namespace

IntervalSet IntervalSet::union_of(std::vector<Interval> intervals) {
  if (!std::is_sorted(intervals.begin(), intervals.end(), starts_first)) {
    std::sort(intervals.begin(), intervals.end(), starts_first);
  }
  IntervalSet set;
  for (const Interval& interval : intervals) append(set.intervals_, interval);
  return set;
}

std::size_t IntervalSet::first_ending_after(Ns time) const {
  const auto found = std::partition_point(intervals_.begin(), intervals_.end(),
                                          [time](const Interval& i) { return i.end <= time; });
  return static_cast<std::size_t>(found - intervals_.begin());
}

bool IntervalSet::contains(const Interval& interval) const {
  const auto after = std::upper_bound(
      intervals_.begin(), intervals_.end(), interval,
      [](const Interval& inner, const Interval& i) { return inner.start < i.start; });
  return after != intervals_.begin() && interval.end <= std::prev(after)->end;
}

Ns IntervalSet::length() const {
  Ns total = 0;
  for (const Interval& interval : intervals_) total += interval.length();
  return total;
}

Ns IntervalSet::length_in(const Interval& interval) const {
  Ns total = 0;
  for (std::size_t i = first_ending_after(interval.start);
       i < intervals_.size() && intervals_[i].start < interval.end; ++i) {
    total +=
        std::min(intervals_[i].end, interval.end) - std::max(intervals_[i].start, interval.start);
  }
  return total;
}

IntervalSet unite(const IntervalSet& a, const IntervalSet& b) {
  std::vector<Interval> both;
  both.reserve(a.intervals_.size() + b.intervals_.size());
  std::merge(a.intervals_.begin(), a.intervals_.end(), b.intervals_.begin(), b.intervals_.end(),
             std::back_inserter(both), starts_first);
  return IntervalSet::union_of(std::move(both));
}

IntervalSet intersect(const IntervalSet& a, const IntervalSet& b) {
  IntervalSet common;
  auto left = a.intervals_.begin();
  auto right = b.intervals_.begin();
  while (left != a.intervals_.end() && right != b.intervals_.end()) {
    const Ns start = std::max(left->start, right->start);
    const Ns end = std::min(left->end, right->end);
    if (start < end) common.intervals_.push_back({start, end});
    // The interval that ends first overlaps no later interval of the other set.
    if (left->end < right->end) {
      ++left;
    } else {
      ++right;
    }
  }
  return common;
}

IntervalSet subtract(const IntervalSet& a, const IntervalSet& b) {
  IntervalSet rest;
  auto right = b.intervals_.begin();
  for (const Interval& left : a.intervals_) {
    Ns start = left.start;
    while (right != b.intervals_.end() && right->end <= start) ++right;
    for (auto hole = right; hole != b.intervals_.end() && hole->start < left.end; ++hole) {
      if (start < hole->start) rest.intervals_.push_back({start, hole->start});
      start = hole->end;
      right = hole;  // the hole may reach into the next interval, too
    }
    if (start < left.end) rest.intervals_.push_back({start, left.end});
  }
  return rest;
}

}  // namespace lapscope::analyzer
