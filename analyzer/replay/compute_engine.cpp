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

bool ComputeEngine::has_all_room(std::uint32_t task) {
  if (graph_->tasks[task].geometry == no_index) return true;
  std::vector<std::uint32_t> holders;
  for (const std::uint32_t other : running_) {
    if (other != task) holders.push_back(other);
  }
  std::vector<const SmUse*> uses;
  for (const std::uint32_t other : holders) uses.push_back(&use_of(other));
  if (use_of(task).fills() || fit_of(use_of(task), uses) == Fit::all) return true;
  partial_.push_back({task, std::move(holders)});
  return false;
}

std::vector<std::uint32_t> ComputeEngine::leave(std::uint32_t task) {
  std::erase(running_, task);
  std::vector<std::uint32_t> complete;
  std::erase_if(partial_, [&](Partial& one) {
    // Its own first blocks make room for the others, too.
    std::erase(one.holders, task);
    if (one.task != task && !one.holders.empty()) return false;
    complete.push_back(one.task);
    return true;
  });
  return complete;
}

bool ComputeEngine::has_room(const Task& task) const {
  if (task.geometry == no_index) return true;
  const std::int64_t priority = graph_->streams[task.stream].priority;
  std::vector<const SmUse*> uses;
  for (const std::uint32_t other : running_) {
    // Blocks of a kernel of higher priority are served first, whatever else waits to start.
    const bool yields = priority < graph_->streams[graph_->tasks[other].stream].priority;
    if (!(use_of(other).fills() && yields)) uses.push_back(&use_of(other));
  }
  return fit_of(graph_->uses[task.geometry], uses) != Fit::none;
}

const SmUse& ComputeEngine::use_of(std::uint32_t task) const {
  return graph_->uses[graph_->tasks[task].geometry];
}

}  // namespace lapscope::analyzer
