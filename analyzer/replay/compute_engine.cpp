#include "analyzer/replay/compute_engine.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {

void ComputeEngine::enqueue(std::uint32_t task, std::int64_t ready) {
  waiting_.emplace_back(graph_->streams[graph_->tasks[task].stream].priority, ready, task);
  std::push_heap(waiting_.begin(), waiting_.end(), std::greater<>());
}

// A block scheduler serves kernels in order: one that finds no room holds up those behind it.
std::uint32_t ComputeEngine::admit(std::int64_t now) {
  if (waiting_.empty()) return no_index;
  const std::uint32_t task = std::get<2>(waiting_.front());
  if (!has_room(graph_->tasks[task], now)) return no_index;
  std::pop_heap(waiting_.begin(), waiting_.end(), std::greater<>());
  waiting_.pop_back();
  if (graph_->tasks[task].geometry != no_index) {
    running_.push_back({task, now, shapes_running()});
    crowd(task, now);
  }
  return task;
}

bool ComputeEngine::has_all_room(std::uint32_t task, std::int64_t now) {
  if (graph_->tasks[task].geometry == no_index) return true;
  if (is_partial(task)) return false;
  const Task& own = graph_->tasks[task];
  in_the_way_.clear();
  auto end = running_.begin();  // of those that were admitted before it
  for (; end != running_.end() && end->task != task; ++end) {
    if (is_in_the_way(own, *end, now)) in_the_way_.push_back(&use_of(end->task));
  }
  if (end != running_.end()) end->since = now;
  if (use_of(task).fills() || fit_of(use_of(task), in_the_way_) == Fit::all) return true;
  Partial partial{task, {}};
  for (auto other = running_.begin(); other != end; ++other) {
    if (is_in_the_way(own, *other, now)) partial.holders.push_back(other->task);
  }
  partial_.push_back(std::move(partial));
  return false;
}

std::vector<std::uint32_t> ComputeEngine::leave(std::uint32_t task) {
  const auto own = std::find_if(running_.begin(), running_.end(),
                                [task](const Running& one) { return one.task == task; });
  if (own != running_.end()) running_.erase(own);
  std::vector<std::uint32_t> complete;
  if (partial_.empty()) return complete;
  std::erase_if(partial_, [&](Partial& one) {
    // Its own first blocks make room for the others, too.
    std::erase(one.holders, task);
    if (one.task != task && !one.holders.empty()) return false;
    complete.push_back(one.task);
    return true;
  });
  return complete;
}

bool ComputeEngine::goes_first(const Task& task, const Task& other) const {
  return graph_->streams[task.stream].priority < graph_->streams[other.stream].priority;
}

// How long each wave of a kernel's blocks takes, which are taken to be alike. On an H200 a kernel
// of high priority that came while one of 12 waves ran started when the first of these had ended.
// Of very short waves several are taken as one, so that looking again costs little.
std::int64_t ComputeEngine::wave_of(const Running& one) const {
  const auto waves = static_cast<std::int64_t>(std::ceil(use_of(one.task).waves));
  return std::max(assumed::dealing_out.value,
                  graph_->tasks[one.task].work / std::max<std::int64_t>(1, waves));
}

// Blocks of a kernel of higher priority are served first: before those that are still being dealt
// out, and before the next wave.
bool ComputeEngine::is_in_the_way(const Task& task, const Running& other, std::int64_t now) const {
  if (!goes_first(task, graph_->tasks[other.task])) return true;
  if (now - other.since <= assumed::dealing_out) return false;
  return !use_of(other.task).fills() || (now - other.since) % wave_of(other) != 0;
}

std::int64_t ComputeEngine::look_again(std::int64_t now) const {
  std::int64_t next = never;
  if (waiting_.empty()) return next;
  const Task& task = graph_->tasks[std::get<2>(waiting_.front())];
  for (const Running& other : running_) {
    if (!goes_first(task, graph_->tasks[other.task]) || !use_of(other.task).fills()) continue;
    const std::int64_t wave = wave_of(other);
    const std::int64_t ends = other.since + ((now - other.since) / wave + 1) * wave;
    if (next == never || ends < next) next = ends;
  }
  return next;
}

bool ComputeEngine::has_room(const Task& task, std::int64_t now) const {
  if (task.geometry == no_index) return true;
  in_the_way_.clear();
  for (const Running& other : running_) {
    if (!is_in_the_way(task, other, now)) continue;
    if (has_no_room_beside(task, other)) return false;
    in_the_way_.push_back(&use_of(other.task));
  }
  return fit_of(graph_->uses[task.geometry], in_the_way_) != Fit::none;
}

// Shapes of which one keeps the other out.
bool ComputeEngine::has_no_room_beside(const Task& task, const Running& other) const {
  const std::uint32_t holder = graph_->tasks[other.task].geometry;
  for (const KeptOut& pair : graph_->kept_out) {
    const bool is_kept_out = pair.kernel == task.geometry && pair.holder == holder;
    if (is_kept_out && !std::count(other.beside.begin(), other.beside.end(), task.geometry)) {
      return true;
    }
  }
  return false;
}

bool ComputeEngine::is_partial(std::uint32_t task) const {
  return std::any_of(partial_.begin(), partial_.end(),
                     [task](const Partial& one) { return one.task == task; });
}

// The kernel takes room from those of lower priority whose blocks are still being dealt out.
void ComputeEngine::crowd(std::uint32_t task, std::int64_t now) {
  const Task& own = graph_->tasks[task];
  for (const Running& other : running_) {
    const Task& there = graph_->tasks[other.task];
    if (!goes_first(own, there) || now - other.since > assumed::dealing_out ||
        there.rank != no_index || use_of(other.task).fills() || is_partial(other.task) ||
        fit_of(use_of(other.task), {&use_of(task)}) == Fit::all) {
      continue;
    }
    partial_.push_back({other.task, {task}});
    crowded_.push_back(other.task);
  }
}

std::vector<std::uint32_t> ComputeEngine::shapes_running() const {
  std::vector<std::uint32_t> shapes;
  if (graph_->kept_out.empty()) return shapes;
  for (const Running& one : running_) shapes.push_back(graph_->tasks[one.task].geometry);
  return shapes;
}

const SmUse& ComputeEngine::use_of(std::uint32_t task) const {
  return graph_->uses[graph_->tasks[task].geometry];
}

}  // namespace lapscope::analyzer
