#include "analyzer/excerpt/stretches.h"

#include <algorithm>
#include <utility>

#include "analyzer/intervals/units.h"

namespace lapscope::analyzer {
namespace {

// A border of an interval is moved by at most this many ops to find a better one.
constexpr std::size_t near_by = 512;

struct Issued {
  Ns at = 0;
  Interval ran;
};

// Returns the ops that start on any device in an interval, in the order of issue. Takes at most
// 8 * near_by ops of each device, so that a device with very many ops does not take too long.
std::vector<Issued> issued_near(const Trace& trace, Interval near) {
  std::vector<Issued> all;
  for (const Device& device : trace.devices) {
    const Ops& ops = device.ops;
    const auto first = std::lower_bound(ops.start.begin(), ops.start.end(), near.start);
    std::size_t left = 8 * near_by;
    for (auto op = static_cast<std::uint32_t>(first - ops.start.begin());
         op < ops.size() && ops.start[op] < near.end && left > 0; ++op, --left) {
      all.push_back({time_of_issue(ops, trace.calls, op), ops.interval(op)});
    }
  }
  std::sort(all.begin(), all.end(), [](const Issued& a, const Issued& b) { return a.at < b.at; });
  return all;
}

// Returns the time near the issue of the op of[n] at which the devices had the least pending work.
// Considers the times of issue of all ops from of[n - reach] to of[n + reach].
Ns quiet_time(const Trace& trace, std::size_t lead, const OpSet& of, std::size_t n,
              std::size_t reach) {
  const Ops& ops = trace.devices[lead].ops;
  const Ns wanted = time_of_issue(ops, trace.calls, of[n]);
  const std::size_t last = std::min(n + reach, of.size() - 1);
  const std::vector<Issued> near =
      issued_near(trace, {ops.start[of[n - std::min(n, reach)]], ops.start[of[last]] + 1});
  std::vector<Ns> first_start(near.size() + 1, latest_time);
  for (std::size_t i = near.size(); i-- > 0;) {
    first_start[i] = std::min(first_start[i + 1], near[i].ran.start);
  }
  Ns best = wanted;
  std::pair<Ns, Ns> least{latest_time, latest_time};
  Ns last_end = 0;
  for (std::size_t i = 0; i < near.size(); ++i) {
    const Ns at = near[i].at;
    if (i == 0 || near[i - 1].at < at) {
      const Ns pending = std::max<Ns>(0, last_end - at);
      const Ns mixed = std::max<Ns>(0, last_end - first_start[i]);
      // The first instant has the highest cost. Its pending work is not known, because `near` lacks
      // the ops before its first op.
      const std::pair cost{i == 0 ? latest_time : pending + mixed, std::abs(at - wanted)};
      if (cost < least) {
        least = cost;
        best = at;
      }
    }
    last_end = std::max(last_end, near[i].ran.end);
  }
  return best;
}

}  // namespace

std::vector<Interval> spread_stretches(const Trace& trace, std::size_t lead, const OpSet& of,
                                       std::size_t ops, std::size_t count) {
  const std::size_t each = std::max<std::size_t>(1, ops / count);
  const std::size_t reach = std::min(near_by, each / 4);
  std::vector<Interval> stretches;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t middle = (2 * i + 1) * of.size() / (2 * count);
    const std::size_t first = middle - std::min(middle, each / 2);
    const std::size_t end = std::min(first + each, of.size() - 1);
    const Interval stretch{quiet_time(trace, lead, of, first, reach),
                           quiet_time(trace, lead, of, end, reach)};
    if (stretch.length() <= 0) continue;
    if (!stretches.empty() && stretch.start <= stretches.back().end) {
      stretches.back().end = std::max(stretches.back().end, stretch.end);
    } else {
      stretches.push_back(stretch);
    }
  }
  return stretches;
}

}  // namespace lapscope::analyzer
