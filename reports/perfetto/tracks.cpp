#include "reports/perfetto/tracks.h"

#include <algorithm>
#include <cmath>

namespace lapscope::reports {

std::vector<std::uint32_t> rows_of(std::span<const analyzer::Ns> start,
                                   std::span<const analyzer::Ns> end, Nesting nesting) {
  std::vector<std::uint32_t> rows;
  rows.reserve(start.size());
  std::vector<std::vector<analyzer::Ns>> open;  // by row: ends of what is open there, inner last
  for (std::size_t i = 0; i < start.size(); ++i) {
    std::uint32_t row = 0;
    for (;; ++row) {
      if (row == open.size()) open.emplace_back();
      std::vector<analyzer::Ns>& ends = open[row];
      while (!ends.empty() && ends.back() <= start[i]) ends.pop_back();
      if (ends.empty() || (nesting == Nesting::inside && end[i] <= ends.back())) break;
    }
    open[row].push_back(end[i]);
    rows.push_back(row);
  }
  return rows;
}

namespace {

using analyzer::TimelineLane;
using Lanes = std::vector<const TimelineLane*>;

// Adds up what each op contributes while it lasts. Contributions are integers, so that nothing is
// left over when all have ended.
template <class F>
std::vector<Step> summed(const Lanes& lanes, F&& contribution) {
  std::vector<std::pair<std::int64_t, std::int64_t>> changes;
  for (const TimelineLane* lane : lanes) {
    for (std::size_t op = 0; op < lane->size(); ++op) {
      const std::int64_t change = contribution(*lane, op);
      if (lane->start[op] == lane->end[op] || change == 0) continue;
      changes.emplace_back(lane->start[op], change);
      changes.emplace_back(lane->end[op], -change);
    }
  }
  std::sort(changes.begin(), changes.end());
  std::vector<Step> steps;
  analyzer::Ns now = 0;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    now += changes[i].second;
    if (i + 1 < changes.size() && changes[i + 1].first == changes[i].first) continue;
    const auto value = static_cast<double>(now);
    if (steps.empty() || steps.back().value != value) steps.push_back({changes[i].first, value});
  }
  return steps;
}

}  // namespace

std::vector<Step> active_ops(const Lanes& lanes) {
  return summed(lanes, [](const TimelineLane&, std::size_t) { return std::int64_t{1}; });
}

// No link carries as much as bounds a single op here: all together stay below 2^63.
std::vector<Step> copy_rate(const Lanes& lanes) {
  double most = std::ldexp(1.0, 62);
  std::size_t ops = 1;
  for (const TimelineLane* lane : lanes) ops += lane->size();
  most /= static_cast<double>(ops);
  return summed(lanes, [most](const TimelineLane& lane, std::size_t op) {
    const auto seconds = static_cast<double>(lane.end[op] - lane.start[op]) / 1e9;
    if (seconds <= 0) return 0LL;
    return std::llround(std::min(most, static_cast<double>(lane.bytes[op]) / seconds));
  });
}

}  // namespace lapscope::reports
