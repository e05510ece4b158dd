#include "analyzer/ranks/kernel_shapes.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "analyzer/model/json_fields.h"
#include "analyzer/model/limits.h"
#include "analyzer/ranks/rank_work.h"

namespace lapscope::analyzer {

namespace {

using Shape = std::tuple<std::string_view, LaunchGeometry>;

// Returns the number of communication kernels of a rank that begin in an interval.
Ns communication_in(const Interval& interval, const RankWork& rank) {
  const auto from = [&rank](Ns time) {
    return std::ranges::lower_bound(rank.collectives, time, {},
                                    [](const RankCollective& one) { return one.interval.start; });
  };
  return from(interval.end) - from(interval.start);
}

// Returns how long other ops run beside communication, in ns.
Ns beside_communication(const Interval& window, const RankWork& rank) {
  std::vector<Interval> communication;
  for (const RankCollective& one : rank.collectives) communication.push_back(one.interval);
  return intersect(rank.other_work, IntervalSet::union_of(std::move(communication)))
      .length_in(window);
}

// The kernels of ranks, in the window, on average over the ranks. Times are in ns.
struct MeanKernels {
  std::map<Shape, ComparedKernel::Side> shapes;
  double kept = 0;     // the time of `shapes`
  double all = 0;      // the time of all kernels
  double outside = 0;  // the time of kernels that may lie outside the window
  double busy = 0;
  double slowed = 0;  // the time that kernels lose beside communication at most

  // Adds a rank. Its set-up may have much communication and little other work, or the reverse. Then
  // a scale by communication and a scale by other work differ, and either may be right.
  void add(const RankWork& rank, const Interval& window, double weight) {
    const Share by_communication =
        portion(communication_in(window, rank), communication_in(rank.judged, rank));
    const Share by_work =
        portion(rank.other_work.length_in(window), rank.other_work.length_in(rank.judged));
    const double scale = weight * by_communication;
    for (const KernelShape& shape : rank.kernels.kept) {
      ComparedKernel::Side& side = shapes[{shape.name, shape.launch}];
      side.count += scale * static_cast<double>(shape.count);
      side.time += scale * static_cast<double>(shape.time);
      kept += scale * static_cast<double>(shape.time);
    }
    const auto time = static_cast<double>(rank.kernels.time);
    all += scale * time;
    outside += weight * std::abs(by_communication - by_work) * time;
    busy += scale * static_cast<double>(rank.kernels.busy);
    slowed += weight * rank.lost.most * static_cast<double>(beside_communication(window, rank));
  }
};

KernelComparison compared(const MeanKernels& late, const MeanKernels& others) {
  KernelComparison sums;
  sums.more = late.kept - others.all - late.outside - others.outside;
  sums.busy = late.busy - others.busy;
  for (const auto& [shape, side] : late.shapes) {
    const auto& [name, launch] = shape;
    const auto other = others.shapes.find(shape);
    const ComparedKernel one{std::string(name), launch, side,
                             other == others.shapes.end() ? ComparedKernel::Side{} : other->second};
    sums.more -= one.longer();
    if (one.more() > sums.most.more()) sums.most = one;
    if (launch == LaunchGeometry{}) continue;  // the kernels may be larger
    sums.longer += one.longer();
    if (one.longer() > sums.longest.longer()) sums.longest = one;
  }
  const double slowed = std::min(late.slowed - others.slowed, sums.longer);
  sums.longer -= std::max(0.0, slowed);
  return sums;
}

}  // namespace

KernelShapes kernel_shapes(const Names& names, const Ops& ops,
                           const std::vector<bool>& communication, const Interval& judged) {
  KernelShapes shapes;
  Ns busy_until = judged.start;
  std::unordered_map<std::uint64_t, std::size_t> known;  // by name and geometry
  for (std::uint32_t op = 0; op < ops.size(); ++op) {
    if (ops.kind[op] != OpKind::kernel || communicates(communication, ops.name[op])) continue;
    if (ops.start[op] < judged.start || judged.end <= ops.start[op]) continue;
    const std::uint32_t geometry = ops.geometry[op];
    const auto [at, is_new] =
        known.try_emplace(std::uint64_t{ops.name[op]} << 32 | geometry, shapes.kept.size());
    if (is_new) {
      shapes.kept.push_back({names.text(ops.name[op]), {}});
      if (geometry != no_index) shapes.kept.back().launch = ops.geometries[geometry];
    }
    KernelShape& shape = shapes.kept[at->second];
    ++shape.count;
    shape.time += ops.interval(op).length();
    shapes.time += ops.interval(op).length();
    shapes.busy += std::max<Ns>(0, ops.end[op] - std::max(busy_until, ops.start[op]));
    busy_until = std::max(busy_until, ops.end[op]);
  }
  std::ranges::stable_sort(shapes.kept, std::ranges::greater(), &KernelShape::time);
  if (shapes.kept.size() > limits::kernel_shapes) shapes.kept.resize(limits::kernel_shapes);
  return shapes;
}

double ComparedKernel::longer() const {
  return std::min(late.count, others.count) * (late.mean() - others.mean());
}

std::vector<KernelComparison> compare_kernels(std::span<const RankWork> ranks,
                                              std::span<const std::uint32_t> late,
                                              const Interval& window) {
  const auto has_geometries = [](const RankWork& rank) {
    return std::ranges::any_of(rank.kernels.kept, [](const KernelShape& shape) {
      return shape.launch != LaunchGeometry{};
    });
  };
  for (const RankWork& rank : ranks) {
    if (rank.kernels.kept.empty() || has_geometries(rank) != has_geometries(ranks[0])) return {};
    if (!is_mostly_in(rank.judged, window) || !is_mostly_in(window, rank.judged)) return {};
    if (communication_in(rank.judged, rank) == 0) return {};
  }
  std::vector<bool> is_late(ranks.size());
  for (const std::uint32_t r : late) is_late[r] = true;
  MeanKernels of_others;
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    const auto others = static_cast<double>(ranks.size() - late.size());
    if (!is_late[r]) of_others.add(ranks[r], window, 1 / others);
  }
  MeanKernels of_late;
  std::vector<KernelComparison> comparisons(1);
  for (const std::uint32_t r : late) {
    of_late.add(ranks[r], window, 1 / static_cast<double>(late.size()));
    MeanKernels alone;
    alone.add(ranks[r], window, 1);
    comparisons.push_back(compared(alone, of_others));
  }
  comparisons[0] = compared(of_late, of_others);
  return comparisons;
}

void fields(JsonIo& io, KernelShapes& shapes) {
  using Json = nlohmann::ordered_json;
  const auto at_most = [](Ns most) {
    return [most](const JsonNode& node) {
      const Ns time = node.integer();
      if (time < 0 || time > most) throw JsonMismatch("the time of kernels cannot be");
      return time;
    };
  };
  io("ns", shapes.time, at_most(latest_time));
  const char* const busy = "busy_ns";
  if (!io.has(busy, true)) shapes.busy = shapes.time;
  io.added(busy, shapes.busy, at_most(shapes.time));
  io(
      "by_name", shapes.kept,
      [&shapes](const JsonNode& node) {
        Ns rest = shapes.time;
        std::vector<KernelShape> kept;
        node.members([&](const std::string& name, const JsonNode& shapes_of_name) {
          for (const auto& of : shapes_of_name.elements(std::mem_fn(&JsonNode::quantities))) {
            if (of.size() != 6 || of[4] == 0 || of[4] > latest_time || of[5] > rest) {
              throw JsonMismatch("a shape of kernels is broken");
            }
            rest -= of[5];
            kept.push_back({kept_name(name), {of[0], of[1], of[2], of[3]}, of[4], of[5]});
          }
        });
        return kept;
      },
      [](const std::vector<KernelShape>& kept) {
        Json names = Json::object();
        for (const KernelShape& one : kept) {
          names[one.name].push_back({one.launch.blocks, one.launch.threads_per_block,
                                     one.launch.registers_per_thread,
                                     one.launch.shared_memory_per_block, one.count, one.time});
        }
        return names;
      });
}

}  // namespace lapscope::analyzer
