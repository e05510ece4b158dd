#include "readers/nsys/layers.h"

#include <algorithm>
#include <tuple>

namespace lapscope::analyzer::nsys {
namespace {

void sort(Layer& layer) {
  std::ranges::sort(layer, {}, [](const Told& one) {
    return std::tie(one.interval.start, one.interval.end, one.state, one.chain);
  });
}

}  // namespace

Layer layer_of(std::vector<Told> intervals) {
  sort(intervals);
  Layer layer;
  for (Told& one : intervals) {
    if (!layer.empty()) {
      one.interval.start = std::max(one.interval.start, layer.back().interval.end);
    }
    if (one.interval.start < one.interval.end) layer.push_back(one);
  }
  return layer;
}

Layer laid_over(const Layer& upper, const Layer& lower) {
  Layer both = upper;
  auto first = upper.begin();
  for (Told one : lower) {
    const Interval all = one.interval;
    const auto add_until = [&](Ns end) {
      if (one.interval.start >= end) return;
      one.interval.end = end;
      both.push_back(one);
    };
    while (first != upper.end() && first->interval.end <= all.start) ++first;
    for (auto over = first; over != upper.end() && over->interval.start < all.end; ++over) {
      add_until(over->interval.start);
      one.interval.start = std::max(one.interval.start, over->interval.end);
    }
    add_until(all.end);
  }
  sort(both);
  return both;
}

Layer within(const Layer& layer, const std::vector<Interval>& intervals) {
  Layer result;
  auto first = layer.begin();
  for (const Interval& part : intervals) {
    while (first != layer.end() && first->interval.end <= part.start) ++first;
    for (auto one = first; one != layer.end() && one->interval.start < part.end; ++one) {
      result.push_back(*one);
      Interval& inside = result.back().interval;
      inside = {std::max(inside.start, part.start), std::min(inside.end, part.end)};
    }
  }
  return result;
}

}  // namespace lapscope::analyzer::nsys
