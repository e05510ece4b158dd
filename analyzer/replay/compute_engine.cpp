#include "analyzer/replay/compute_engine.h"

#include <algorithm>

namespace lapscope::analyzer {

void ComputeEngine::enqueue(std::uint32_t task, std::int64_t ready) {
  waiting_.insert({graph_->streams[graph_->tasks[task].stream].priority, ready, task});
}

// A block scheduler serves kernels in order: one that finds no room holds up those behind it.
std::uint32_t ComputeEngine::admit() {
  if (waiting_.empty()) return no_index;
  const std::uint32_t task = std::get<2>(*waiting_.begin());
  if (!has_room(graph_->tasks[task])) return no_index;
  waiting_.erase(waiting_.begin());
  if (graph_->tasks[task].geometry != no_index) running_.push_back(task);
  return task;
}

void ComputeEngine::leave(std::uint32_t task) { std::erase(running_, task); }

bool ComputeEngine::has_room(const Task& task) const {
  if (task.geometry == no_index) return true;
  const SmUse& use = graph_->uses[task.geometry];
  const std::int64_t priority = graph_->streams[task.stream].priority;
  std::array<float, SmUse::resources> used{};
  for (const std::uint32_t other : running_) {
    const Task& running = graph_->tasks[other];
    const SmUse& taken = graph_->uses[running.geometry];
    // Blocks of a kernel of higher priority are served first, whatever else waits to start.
    const bool yields = priority < graph_->streams[running.stream].priority;
    if (taken.fills()) {
      if (!yields) return false;
      continue;
    }
    for (std::size_t r = 0; r < used.size(); ++r) used[r] += taken.part[r];
  }
  for (std::size_t r = 0; r < used.size(); ++r) {
    if (used[r] + use.one_block[r] > 1.0001F) return false;
  }
  return true;
}

}  // namespace lapscope::analyzer
