#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "analyzer/graph/building.h"
#include "analyzer/intervals/interval_set.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

// Disjoint intervals that tell how much of another one they cover.
class Cover {
 public:
  void add(Interval interval) {  // by start
    if (!intervals_.empty() && interval.start <= intervals_.back().end) {
      intervals_.back().end = std::max(intervals_.back().end, interval.end);
    } else {
      intervals_.push_back(interval);
    }
  }
  bool is_empty() const { return intervals_.empty(); }
  std::int64_t of(Interval interval) const {
    auto at = std::partition_point(intervals_.begin(), intervals_.end(),
                                   [&](const Interval& i) { return i.end <= interval.start; });
    std::int64_t covered = 0;
    for (; at != intervals_.end() && at->start < interval.end; ++at) {
      covered += std::min(at->end, interval.end) - std::max(at->start, interval.start);
    }
    return covered;
  }

 private:
  std::vector<Interval> intervals_;
};

// How fast copies go with the other direction running, relative to alone; empty where the trace
// does not show both.
std::optional<double> both_directions(const Ops& ops, const Cover& to_device,
                                      const Cover& to_host) {
  std::vector<double> alone;
  std::vector<double> both;
  for (std::size_t op = 0; op < ops.size(); ++op) {
    const bool is_h2d = ops.engine[op] == Engine::h2d;
    if (!is_h2d && ops.engine[op] != Engine::d2h) continue;
    if ((ops.memory[op] & (source_pageable | target_pageable)) != 0) continue;
    const std::int64_t length = ops.end[op] - ops.start[op];
    if (ops.bytes[op] < assumed::large_copy || length <= 0) continue;
    const std::int64_t covered = (is_h2d ? to_host : to_device).of(ops.interval(op));
    const double rate = static_cast<double>(ops.bytes[op]) / static_cast<double>(length);
    const std::int64_t most_beside =
        std::llround(assumed::hardly_any * static_cast<double>(length));
    if (covered <= most_beside) alone.push_back(rate);
    if (length - covered <= most_beside) both.push_back(rate);
  }
  const auto usual = typical_of(alone);
  const auto slowed = typical_of(both);
  if (!usual || !slowed) return std::nullopt;
  return std::min(*slowed / *usual, 1.0);
}

EngineTraits traits_of(const Device& device, std::array<Cover, all_engines.size()>& cover) {
  EngineTraits traits;
  std::array<std::int64_t, all_engines.size()> busy{};
  std::array<std::int64_t, all_engines.size()> overlap{};
  std::array<std::int64_t, all_engines.size()> until{};
  const Ops& ops = device.ops;
  for (std::size_t op = 0; op < ops.size(); ++op) {
    const auto engine = static_cast<std::size_t>(ops.engine[op]);
    busy[engine] += ops.end[op] - ops.start[op];
    overlap[engine] +=
        std::max<std::int64_t>(0, std::min(until[engine], ops.end[op]) - ops.start[op]);
    until[engine] = std::max(until[engine], ops.end[op]);
    cover[engine].add(ops.interval(op));
  }
  for (std::size_t engine = 0; engine < all_engines.size(); ++engine) {
    traits.exclusive[engine] = engine != static_cast<std::size_t>(Engine::compute) &&
                               static_cast<double>(overlap[engine]) <=
                                   assumed::hardly_any * static_cast<double>(busy[engine]);
  }
  return traits;
}

// Small GPUs have one engine for both directions. What the trace shows goes first: a GPU that was
// seen to copy both ways at once has more.
bool has_one_copy_engine(const Device& device, const EngineTraits& traits, const Cover& to_device) {
  constexpr auto h2d = static_cast<std::size_t>(Engine::h2d);
  constexpr auto d2h = static_cast<std::size_t>(Engine::d2h);
  if (device.limits.copy_engines != 1 || !traits.exclusive[h2d] || !traits.exclusive[d2h]) {
    return false;
  }
  std::int64_t busy = 0;
  std::int64_t beside = 0;
  for (std::size_t op = 0; op < device.ops.size(); ++op) {
    if (device.ops.engine[op] != Engine::d2h) continue;
    busy += device.ops.interval(op).length();
    beside += to_device.of(device.ops.interval(op));
  }
  return static_cast<double>(beside) <= assumed::hardly_any * static_cast<double>(busy);
}

// Where more kernels are recorded at once than any GPU runs, their times or shapes are wrong. The
// shape of those beyond counts as not known: who finds room beside whom takes time that grows with
// the square of how many run.
void forget_shapes_beyond(Graph& graph) {
  std::vector<std::uint32_t> kernels;
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    if (graph.tasks[t].geometry != no_index) kernels.push_back(t);
  }
  std::sort(kernels.begin(), kernels.end(), [&graph](std::uint32_t a, std::uint32_t b) {
    return std::make_pair(graph.tasks[a].start, a) < std::make_pair(graph.tasks[b].start, b);
  });
  std::vector<std::multiset<std::int64_t>> ends(graph.traits.size());  // of those that run
  for (const std::uint32_t t : kernels) {
    Task& task = graph.tasks.edit()[t];
    std::multiset<std::int64_t>& running = ends[task.device];
    running.erase(running.begin(), running.upper_bound(task.start));
    if (running.size() < assumed::kernels_at_once) {
      running.insert(task.end);
    } else {
      task.geometry = no_index;
    }
  }
}

}  // namespace

void measure_engines(const Trace& trace, Graph& graph) {
  constexpr auto h2d = static_cast<std::size_t>(Engine::h2d);
  constexpr auto d2h = static_cast<std::size_t>(Engine::d2h);
  std::vector<std::array<Cover, all_engines.size()>> covers(trace.devices.size());
  for (std::size_t d = 0; d < trace.devices.size(); ++d) {
    EngineTraits traits = traits_of(trace.devices[d], covers[d]);
    const auto shown = both_directions(trace.devices[d].ops, covers[d][h2d], covers[d][d2h]);
    traits.both_directions = shown.value_or(graph.stand_in_values.both_directions);
    traits.one_copy_engine = has_one_copy_engine(trace.devices[d], traits, covers[d][h2d]);
    const bool has_both =
        !traits.one_copy_engine && !covers[d][h2d].is_empty() && !covers[d][d2h].is_empty();
    if (!shown && has_both) graph.stand_ins.insert(assumed::both_directions.name);
    graph.traits.push_back(traits);
  }
  for (Task& task : graph.tasks.edit()) {
    if (task.engine != Engine::h2d && task.engine != Engine::d2h) continue;
    const std::size_t other = task.engine == Engine::h2d ? d2h : h2d;
    const auto shared = static_cast<double>(covers[task.device][other].of({task.start, task.end}));
    task.work -= std::llround(shared * (1 - graph.traits[task.device].rate(task.engine, true)));
  }
  forget_shapes_beyond(graph);
}

}  // namespace lapscope::analyzer
