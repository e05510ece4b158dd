#include "analyzer/ranks/lost_beside.h"

#include <algorithm>
#include <cmath>

#include "analyzer/measures/occupancy.h"
#include "analyzer/model/names.h"

namespace lapscope::analyzer {
namespace {

// `taken`: the share of multiprocessors that communication kernels occupy; below 1.
LostBeside lost_by(const LaunchGeometry& geometry, const DeviceLimits& limits, double taken) {
  const auto resident = resident_blocks(geometry, limits);
  if (!resident) return {};
  const auto blocks = static_cast<double>(geometry.blocks);
  if (blocks <= (1 - taken) * static_cast<double>(limits.multiprocessors)) return {0, 0};
  const auto lost_with = [&](double blocks_of_round) {
    const double rounds = blocks / blocks_of_round;
    return 1 - std::ceil(rounds) / std::ceil(rounds / (1 - taken));
  };
  const double when_full = lost_with(static_cast<double>(*resident));
  const double one_by_one = lost_with(static_cast<double>(limits.multiprocessors));
  return {std::min(taken, when_full), std::max(when_full, one_by_one)};
}

}  // namespace

LostBeside lost_beside(const Device& device, const std::vector<bool>& communication) {
  const Ops& ops = device.ops;
  const auto multiprocessors = static_cast<double>(device.limits.multiprocessors);
  std::vector<double> time(ops.geometries.size() + 1);  // of kernels, by size; last: not known
  double communicating = 0;
  double taken = 0;  // multiprocessors, multiplied by the time for which they are occupied
  for (std::uint32_t op = 0; op < ops.size(); ++op) {
    const auto length = static_cast<double>(ops.interval(op).length());
    const bool has_size = ops.geometry[op] != no_index;
    const Engine engine = engine_of(ops, op, communication);
    if (engine == Engine::compute) {
      time[has_size ? ops.geometry[op] : ops.geometries.size()] += length;
    } else if (engine == Engine::communication && has_size) {
      // Blocks of NCCL run on different multiprocessors.
      const auto blocks = static_cast<double>(ops.geometries[ops.geometry[op]].blocks);
      taken += std::min(blocks, multiprocessors) * length;
      communicating += length;
    }
  }
  if (communicating == 0 || multiprocessors == 0) return {};
  taken /= communicating * multiprocessors;
  double all = 0;
  LostBeside sum{0, 0};
  for (std::size_t g = 0; g < time.size(); ++g) {
    const bool is_known = g < ops.geometries.size() && taken < 1;
    const LostBeside one =
        is_known ? lost_by(ops.geometries[g], device.limits, taken) : LostBeside{};
    sum.least += one.least * time[g];
    sum.most += one.most * time[g];
    all += time[g];
  }
  return all == 0 ? LostBeside{} : LostBeside{sum.least / all, sum.most / all};
}

}  // namespace lapscope::analyzer
