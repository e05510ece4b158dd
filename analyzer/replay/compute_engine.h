#pragma once

#include <array>
#include <set>
#include <tuple>
#include <vector>

#include "analyzer/graph/graph.h"

namespace lapscope::analyzer {

// The multiprocessors of one device: which kernels run, and which wait for room.
class ComputeEngine {
 public:
  explicit ComputeEngine(const Graph& graph) : graph_(&graph) {}

  // A kernel that has become ready waits here.
  void enqueue(std::uint32_t task, std::int64_t ready);
  // Takes the next kernel that finds room and makes it run; no_index when there is none.
  std::uint32_t admit();
  // Whether the kernel that was admitted last has room for all its blocks, or more blocks than ever
  // fit at once. If not, it is told by leave() when it has.
  bool has_all_room(std::uint32_t task);
  // A running kernel leaves all its room: when it ends, or when its last blocks have started. The
  // kernels that now have room for all their blocks.
  std::vector<std::uint32_t> leave(std::uint32_t task);

 private:
  bool has_room(const Task& task) const;
  const SmUse& use_of(std::uint32_t task) const;  // of a kernel whose shape is known

  const Graph* graph_;
  std::set<std::tuple<std::int64_t, std::int64_t, std::uint32_t>> waiting_;  // priority, ready
  std::vector<std::uint32_t> running_;
  struct Partial {
    std::uint32_t task = no_index;
    std::vector<std::uint32_t> holders;  // that ran when it started, and still do
  };
  std::vector<Partial> partial_;
};

}  // namespace lapscope::analyzer
