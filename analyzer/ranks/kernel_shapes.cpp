#include "analyzer/ranks/kernel_shapes.h"

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>
#include <unordered_map>

#include "analyzer/model/json_fields.h"
#include "analyzer/model/limits.h"
#include "analyzer/ranks/rank_work.h"

namespace lapscope::analyzer {

namespace {

// Returns the number of communication kernels of a rank that begin in an interval.
double communication_in(const Interval& interval, const RankWork& rank) {
  const auto from = [&rank](Ns time) {
    return std::ranges::lower_bound(rank.collectives, time, {},
                                    [](const RankCollective& one) { return one.interval.start; });
  };
  return static_cast<double>(from(interval.end) - from(interval.start));
}

}  // namespace

KernelShapes kernel_shapes(const Names& names, const Ops& ops,
                           const std::vector<bool>& communication, const Interval& judged) {
  KernelShapes shapes;
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
  }
  std::ranges::stable_sort(shapes.kept, std::ranges::greater(), &KernelShape::time);
  if (shapes.kept.size() > limits::kernel_shapes) shapes.kept.resize(limits::kernel_shapes);
  return shapes;
}

double ComparedKernel::longer() const {
  if (late.count == 0 || others.count == 0) return 0;
  return std::min(late.count, others.count) * (late.mean() - others.mean());
}

KernelComparison compare_kernels(std::span<const RankWork> ranks, const std::vector<bool>& late,
                                 const Interval& window) {
  KernelComparison sums;
  const auto late_ranks = static_cast<double>(std::ranges::count(late, true));
  const auto other_ranks = static_cast<double>(ranks.size()) - late_ranks;
  std::map<std::tuple<std::string_view, LaunchGeometry>, ComparedKernel> kernels;
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    const RankWork& rank = ranks[r];
    const double judged = communication_in(rank.judged, rank);
    if (rank.kernels.kept.empty() || judged == 0) return {};
    const double weight =
        communication_in(window, rank) / judged / (late[r] ? late_ranks : other_ranks);
    auto hidden = static_cast<double>(rank.kernels.time);
    for (const KernelShape& shape : rank.kernels.kept) {
      ComparedKernel& one = kernels[{shape.name, shape.launch}];
      ComparedKernel::Side& side = late[r] ? one.late : one.others;
      side.count += weight * static_cast<double>(shape.count);
      side.time += weight * static_cast<double>(shape.time);
      hidden -= static_cast<double>(shape.time);
    }
    if (!late[r]) sums.hidden += weight * hidden;
  }
  for (auto& [key, one] : kernels) {
    std::tie(one.name, one.launch) = key;
    sums.longer += one.longer();
    sums.more += one.more() - one.longer();
    const auto rest = [](const ComparedKernel& kernel) { return kernel.more() - kernel.longer(); };
    if (one.longer() > sums.longest.longer()) sums.longest = one;
    if (rest(one) > rest(sums.most)) sums.most = one;
  }
  return sums;
}

void fields(JsonIo& io, KernelShapes& shapes) {
  using Json = nlohmann::ordered_json;
  io("ns", shapes.time);
  io(
      "by_name", shapes.kept,
      [](const JsonNode& node) {
        std::vector<KernelShape> kept;
        node.members([&kept](const std::string& name, const JsonNode& shapes_of_name) {
          for (const auto& of : shapes_of_name.elements(std::mem_fn(&JsonNode::quantities))) {
            if (of.size() != 6 || of[4] == 0 || std::max(of[4], of[5]) > latest_time) {
              throw JsonMismatch("a shape of kernels is broken");
            }
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
