#include "analyzer/measures/activity.h"

#include <algorithm>
#include <stdexcept>
#include <unordered_map>

#include "analyzer/measures/occupancy.h"

namespace lapscope::analyzer {
namespace {

void add(std::int64_t& total, std::int64_t duration) {
  if (__builtin_add_overflow(total, duration, &total)) {
    throw std::overflow_error("the durations of the ops add up to more than 2^63 ns");
  }
}

// Time covered by at least two of these intervals. Sorts them.
std::int64_t covered_twice(std::vector<Interval>& intervals) {
  std::sort(intervals.begin(), intervals.end(),
            [](const Interval& a, const Interval& b) { return a.start < b.start; });
  std::int64_t total = 0;
  std::int64_t counted = 0;  // what lies before is counted already
  std::int64_t end = 0;      // latest end so far
  bool first = true;
  for (const Interval& interval : intervals) {
    if (!first) {
      const std::int64_t from = std::max(interval.start, counted);
      const std::int64_t to = std::min(interval.end, end);
      if (from < to) {
        total += to - from;
        counted = to;
      }
    }
    end = first ? interval.end : std::max(end, interval.end);
    if (first) counted = interval.start;
    first = false;
  }
  return total;
}

// Per geometry of a device, how many blocks fit at once; 0 where that is not known.
std::vector<std::int64_t> capacities(const Device& device) {
  std::vector<std::int64_t> result;
  for (const LaunchGeometry& geometry : device.ops.geometries) {
    result.push_back(resident_blocks(geometry, device.limits).value_or(0));
  }
  return result;
}

// |op| × the share of the device that the grid can fill at once; -1 when that is not known.
std::int64_t area(std::int64_t duration, std::int64_t blocks, std::int64_t capacity) {
  if (capacity <= 0) return -1;
  if (blocks >= capacity) return duration;
  // duration * blocks / capacity, rounded down, without the product leaving 64 bits
  return duration / capacity * blocks + duration % capacity * blocks / capacity;
}

}  // namespace

IntervalSet Activity::copies() const {
  return unite(unite(of(Engine::h2d), of(Engine::d2h)), of(Engine::other_copy));
}

bool is_communication(std::string_view kernel) {
  return kernel.starts_with("nccl") || kernel.starts_with("nvshmem");
}

Activity activity_of(const Device& device, const Names& names, const Scope& scope) {
  const Ops& ops = device.ops;
  Activity activity;
  activity.window = scope.window;
  std::array<std::vector<Interval>, all_engines.size()> by_engine;
  std::vector<Interval> kernels;
  std::vector<Interval> comm;
  std::vector<Interval> beside_comm;
  std::unordered_map<std::uint32_t, bool> communicates;  // by kernel name
  const std::vector<std::int64_t> capacity = capacities(device);

  for (const std::uint32_t op : scope.ops) {
    const Interval interval{std::max(ops.start[op], scope.window.start),
                            std::min(ops.end[op], scope.window.end)};
    const auto engine = static_cast<std::size_t>(ops.engine[op]);
    add(activity.sum, interval.length());
    activity.engine_sum[engine] += interval.length();
    by_engine[engine].push_back(interval);
    if (ops.engine[op] != Engine::compute) continue;

    std::int64_t share = interval.length();  // memsets and copies on a compute channel
    bool is_comm = false;
    if (ops.kind[op] == OpKind::kernel) {
      kernels.push_back(interval);
      activity.kernel_sum += interval.length();
      activity.longest_kernel = std::max(activity.longest_kernel, interval.length());
      const std::uint32_t shape = ops.geometry[op];
      share = shape == no_index
                  ? -1
                  : area(interval.length(), ops.geometries[shape].blocks, capacity[shape]);
      const auto [known, is_new] = communicates.try_emplace(ops.name[op], false);
      if (is_new) known->second = is_communication(names.text(ops.name[op]));
      is_comm = known->second;
    }
    (is_comm ? comm : beside_comm).push_back(interval);
    activity.compute_area =
        share < 0 || activity.compute_area < 0 ? -1 : activity.compute_area + share;
  }

  for (const Engine engine : all_engines) {
    const auto index = static_cast<std::size_t>(engine);
    activity.engines[index] = IntervalSet::union_of(std::move(by_engine[index]));
    activity.busy = unite(activity.busy, activity.engines[index]);
  }
  activity.kernels_overlapped = covered_twice(kernels);
  activity.kernel_union = IntervalSet::union_of(std::move(kernels)).length();
  activity.comm = IntervalSet::union_of(std::move(comm));
  activity.compute_beside_comm = IntervalSet::union_of(std::move(beside_comm));
  return activity;
}

}  // namespace lapscope::analyzer
