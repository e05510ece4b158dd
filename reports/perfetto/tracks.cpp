#include "reports/perfetto/tracks.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

namespace lapscope::reports {

namespace {

using analyzer::Ns;

// For each row, the latest end that an interval may have if it begins now; `none` if no interval
// may begin in the row. A tree, because there may be as many rows as intervals.
class Rooms {
 public:
  static constexpr Ns none = std::numeric_limits<Ns>::min();
  static constexpr Ns unlimited = std::numeric_limits<Ns>::max();

  void set(std::uint32_t row, Ns until) {
    std::size_t node = leaves_ + row;
    latest_[node] = until;
    while (node > 1) {
      node /= 2;
      latest_[node] = std::max(latest_[2 * node], latest_[2 * node + 1]);
    }
  }
  // Returns the first row with room for an interval that begins now and ends at `until`. Adds a row
  // if necessary.
  std::uint32_t first(Ns until) {
    if (latest_[1] < until) grow();
    std::size_t node = 1;
    while (node < leaves_) node = 2 * node + (latest_[2 * node] < until ? 1 : 0);
    return static_cast<std::uint32_t>(node - leaves_);
  }

 private:
  void grow() {
    std::vector<Ns> known(latest_.begin() + static_cast<std::ptrdiff_t>(leaves_), latest_.end());
    leaves_ *= 2;
    latest_.assign(2 * leaves_, unlimited);
    for (std::uint32_t row = 0; row < known.size(); ++row) set(row, known[row]);
  }

  std::size_t leaves_ = 1;
  std::vector<Ns> latest_ = {unlimited, unlimited};  // a tree: maximum of both children
};

}  // namespace

std::vector<std::uint32_t> rows_of(std::span<const Ns> start, std::span<const Ns> end,
                                   Nesting nesting) {
  std::vector<std::uint32_t> rows;
  rows.reserve(start.size());
  Rooms rooms;
  std::vector<std::vector<Ns>> open;          // by row: ends of open intervals, innermost last
  using Open = std::pair<Ns, std::uint32_t>;  // end, row
  std::priority_queue<Open, std::vector<Open>, std::greater<>> next;
  const auto set_room = [&](std::uint32_t row) {
    rooms.set(row, open[row].empty()            ? Rooms::unlimited
                   : nesting == Nesting::inside ? open[row].back()
                                                : Rooms::none);
  };
  for (std::size_t i = 0; i < start.size(); ++i) {
    for (; !next.empty() && next.top().first <= start[i]; next.pop()) {
      const std::uint32_t row = next.top().second;
      while (!open[row].empty() && open[row].back() <= start[i]) open[row].pop_back();
      set_room(row);
    }
    const std::uint32_t row = rooms.first(end[i]);
    if (row >= open.size()) open.resize(row + 1);
    open[row].push_back(end[i]);
    next.emplace(end[i], row);
    set_room(row);
    rows.push_back(row);
  }
  return rows;
}

namespace {

using analyzer::TimelineLane;
using Lanes = std::vector<const TimelineLane*>;

// Sums the contributions of all ops over time. Contributions are integers. The sum is therefore
// exactly 0 when all ops have ended.
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

// Limits the rate of each op so that the sum is less than 2^63. Real links never reach this limit.
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
