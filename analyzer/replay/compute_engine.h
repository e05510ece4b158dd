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
  // A running kernel leaves all its room: when it ends, or when its last blocks have started.
  void leave(std::uint32_t task);

 private:
  bool has_room(const Task& task) const;

  const Graph* graph_;
  std::set<std::tuple<std::int64_t, std::int64_t, std::uint32_t>> waiting_;  // priority, ready
  std::vector<std::uint32_t> running_;
};

}  // namespace lapscope::analyzer
