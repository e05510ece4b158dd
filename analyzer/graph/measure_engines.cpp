#include <algorithm>
#include <cmath>
#include <utility>

#include "analyzer/graph/building.h"
#include "analyzer/intervals/interval_set.h"
#include "analyzer/model/assumptions.h"
#include "analyzer/model/rules.h"

namespace lapscope::analyzer {
namespace {

// The times of copies between the host and one device, by direction.
struct CopyTimes {
  IntervalSet to_device;
  IntervalSet to_host;

  const IntervalSet& beside(Engine engine) const {
    return engine == Engine::h2d ? to_host : to_device;
  }
};

CopyTimes copy_times(const Ops& ops) {
  std::vector<Interval> to_device, to_host;
  for (std::size_t op = 0; op < ops.size(); ++op) {
    if (ops.engine[op] == Engine::h2d) to_device.push_back(ops.interval(op));
    if (ops.engine[op] == Engine::d2h) to_host.push_back(ops.interval(op));
  }
  return {IntervalSet::union_of(std::move(to_device)), IntervalSet::union_of(std::move(to_host))};
}

// Copies that run in both directions at the same time can slow each other down. Returns their rate,
// divided by the rate of copies that run in one direction only. The result is at most 1. Returns
// nullopt if the trace has too few examples of either rate.
std::optional<double> both_directions(const Ops& ops, const CopyTimes& copies) {
  std::vector<double> alone;
  std::vector<double> both;
  for (std::size_t op = 0; op < ops.size(); ++op) {
    if (ops.engine[op] != Engine::h2d && ops.engine[op] != Engine::d2h) continue;
    if ((ops.memory[op] & (source_pageable | target_pageable)) != 0) continue;
    const Ns length = ops.end[op] - ops.start[op];
    if (ops.bytes[op] < assumed::large_copy || length <= 0) continue;
    const Ns covered = copies.beside(ops.engine[op]).length_in(ops.interval(op));
    const double rate = static_cast<double>(ops.bytes[op]) / static_cast<double>(length);
    const Ns most_beside = std::llround(assumed::hardly_any * static_cast<double>(length));
    if (covered <= most_beside) alone.push_back(rate);
    if (length - covered <= most_beside) both.push_back(rate);
  }
  const auto usual = typical_of(alone);
  const auto slowed = typical_of(both);
  if (!usual || !slowed) return std::nullopt;
  return std::min(*slowed / *usual, 1.0);
}

EngineTraits traits_of(const Device& device) {
  EngineTraits traits;
  std::array<Ns, all_engines.size()> busy{};
  std::array<Ns, all_engines.size()> overlap{};
  std::array<Ns, all_engines.size()> until{};
  const Ops& ops = device.ops;
  for (std::size_t op = 0; op < ops.size(); ++op) {
    const auto engine = static_cast<std::size_t>(ops.engine[op]);
    busy[engine] += ops.end[op] - ops.start[op];
    overlap[engine] += std::max<Ns>(0, std::min(until[engine], ops.end[op]) - ops.start[op]);
    until[engine] = std::max(until[engine], ops.end[op]);
  }
  for (std::size_t engine = 0; engine < all_engines.size(); ++engine) {
    traits.exclusive[engine] = engine != static_cast<std::size_t>(Engine::compute) &&
                               static_cast<double>(overlap[engine]) <=
                                   assumed::hardly_any * static_cast<double>(busy[engine]);
  }
  return traits;
}

// Whether a device has one copy engine for both directions, as small GPUs do. Its description must
// state this, and recorded copies in opposite directions must hardly overlap.
bool has_one_copy_engine(const Device& device, const EngineTraits& traits,
                         const CopyTimes& copies) {
  constexpr auto h2d = static_cast<std::size_t>(Engine::h2d);
  constexpr auto d2h = static_cast<std::size_t>(Engine::d2h);
  if (device.limits.copy_engines != 1 || !traits.exclusive[h2d] || !traits.exclusive[d2h]) {
    return false;
  }
  Ns busy = 0;
  Ns beside = 0;
  for (std::size_t op = 0; op < device.ops.size(); ++op) {
    if (device.ops.engine[op] != Engine::d2h) continue;
    busy += device.ops.interval(op).length();
    beside += copies.to_device.length_in(device.ops.interval(op));
  }
  return static_cast<double>(beside) <= assumed::hardly_any * static_cast<double>(busy);
}

}  // namespace

void measure_engines(const Trace& trace, const Program& program, const Times& times,
                     Parameters& parameters) {
  std::vector<CopyTimes> copies;
  for (const Device& device : trace.devices) {
    copies.push_back(copy_times(device.ops));
    EngineTraits traits = traits_of(device);
    const auto measured = both_directions(device.ops, copies.back());
    traits.both_directions = measured.value_or(assumed::both_directions);
    traits.one_copy_engine = has_one_copy_engine(device, traits, copies.back());
    const bool has_both = !traits.one_copy_engine && !copies.back().to_device.empty() &&
                          !copies.back().to_host.empty();
    if (!measured && has_both) parameters.stand_ins.insert(assumed::both_directions.name);
    parameters.traits.push_back(traits);
  }
  std::vector<Lengths>& lengths = parameters.lengths.edit();
  lengths.resize(program.tasks.size());
  for (std::uint32_t t = 0; t < lengths.size(); ++t) {
    const Task& task = program.tasks[t];
    const Interval& time = times.tasks[t];
    lengths[t].work = lengths[t].all_resident = time.length();
    if (task.rank != no_index) {
      const std::uint32_t collective = program.ranks[task.rank].collective;
      lengths[t].work = std::min(time.length(), program.collectives[collective].work);
    }
    if (task.engine != Engine::h2d && task.engine != Engine::d2h) continue;
    const auto shared =
        static_cast<double>(copies[task.device].beside(task.engine).length_in(time));
    const double slower = 1 - parameters.traits[task.device].rate(task.engine, true);
    lengths[t].work -= std::llround(shared * slower);
  }
}

Kernels kernels_of(const Trace& trace, const std::vector<bool>& communication) {
  Kernels kernels;
  for (const Device& device : trace.devices) {
    std::vector<std::uint32_t>& uses = kernels.use_of.emplace_back();
    for (const LaunchGeometry& geometry : device.ops.geometries) {
      const auto use = sm_use(geometry, device.limits);
      uses.push_back(use ? static_cast<std::uint32_t>(kernels.uses.size()) : no_index);
      kernels.uses.push_back(use.value_or(SmUse{}));
    }
    Demands demands = measure_demands(device, communication);
    const auto first = static_cast<std::uint32_t>(kernels.demands.size());
    for (const KernelClass& one : demands.classes) {
      kernels.demands.push_back(rule::shared_throughput ? one.demand : Demand{0, 0});
    }
    for (std::uint32_t& of_op : demands.class_of) {
      if (of_op != no_index) of_op += first;
    }
    kernels.class_of.push_back(std::move(demands.class_of));
  }
  return kernels;
}

}  // namespace lapscope::analyzer
