#include "analyzer/model/callbacks.h"

#include <algorithm>

namespace lapscope::analyzer {

std::vector<std::uint64_t> dependencies(const Topology& topology, std::uint64_t node,
                                        std::int64_t when) {
  const auto& all = topology.dependencies;
  auto next = std::lower_bound(
      all.begin(), all.end(), node,
      [](const NodeDependency& one, std::uint64_t wanted) { return one.node < wanted; });
  std::vector<std::uint64_t> result;
  for (; next != all.end() && next->node == node && next->time <= when; ++next) {
    std::erase(result, next->on);
    if (!next->is_removed) result.push_back(next->on);
  }
  return result;
}

std::uint64_t node_of_op(const Ops& ops, std::uint32_t op) {
  const auto found =
      std::lower_bound(ops.nodes.begin(), ops.nodes.end(), op,
                       [](const OpNode& node, std::uint32_t wanted) { return node.op < wanted; });
  return found == ops.nodes.end() || found->op != op ? 0 : found->node;
}

}  // namespace lapscope::analyzer
