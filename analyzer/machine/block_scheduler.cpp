#include "analyzer/machine/block_scheduler.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "analyzer/model/assumptions.h"
#include "analyzer/model/rules.h"

namespace lapscope::analyzer {

void BlockScheduler::enqueue(std::uint32_t task, std::int64_t ready) {
  waiting_.emplace_back(machine_.streams[loads_[task].stream].priority, ready, task);
  std::push_heap(waiting_.begin(), waiting_.end(), std::greater<>());
}

// A block scheduler serves kernels in order: one that finds no room holds up those behind it.
BlockScheduler::Admitted BlockScheduler::admit(std::int64_t now) {
  if (waiting_.empty()) return {};
  const auto [priority, ready, task] = waiting_.front();
  if (!has_room(loads_[task], now)) return {};
  std::pop_heap(waiting_.begin(), waiting_.end(), std::greater<>());
  waiting_.pop_back();
  if (loads_[task].geometry != no_index) {
    running_.push_back({task, now, false});
    crowd(task, now);
  }
  return {task, now > ready};
}

bool BlockScheduler::start(std::uint32_t task, std::int64_t now) {
  const Load& own = loads_[task];
  if (own.geometry == no_index) return true;
  const auto running = std::find_if(running_.begin(), running_.end(),
                                    [task](const Running& one) { return one.task == task; });
  running->has_started = true;
  if (partial_.start(task)) return false;
  running->since = now;
  std::vector<std::uint32_t> holders;
  in_the_way_.clear();
  for (auto other = running_.begin(); other != running; ++other) {  // admitted before it
    if (!is_in_the_way(own, *other, now)) continue;
    in_the_way_.push_back(&use_of(other->task));
    holders.push_back(other->task);
  }
  if (use_of(task).fills() || fit_of(use_of(task), in_the_way_) == Fit::all) return true;
  if (!rule::crowded) return true;
  partial_.add(task, true, std::move(holders));
  return false;
}

std::vector<std::uint32_t> BlockScheduler::leave(std::uint32_t task) {
  const auto own = std::find_if(running_.begin(), running_.end(),
                                [task](const Running& one) { return one.task == task; });
  if (own != running_.end()) running_.erase(own);
  return partial_.leave(task);
}

// How long each wave of a kernel's blocks takes, which are taken to be alike. On an H200 a kernel
// of high priority that came while one of 12 waves ran started when the first of these had ended.
// Of very short waves several are taken as one, so that looking again costs little.
std::int64_t BlockScheduler::wave_of(const Running& one) const {
  const auto waves = static_cast<std::int64_t>(std::ceil(use_of(one.task).waves));
  return std::max(assumed::dealing_out.value,
                  loads_[one.task].work / std::max<std::int64_t>(1, waves));
}

bool BlockScheduler::is_in_the_way(const Load& task, const Running& other, std::int64_t now) const {
  if (!goes_first(machine_, task, loads_[other.task])) return true;
  if (is_dealt_out(other.since, now)) return false;
  return !use_of(other.task).fills() || (now - other.since) % wave_of(other) != 0;
}

std::int64_t BlockScheduler::look_again(std::int64_t now) const {
  std::int64_t next = never;
  if (waiting_.empty()) return next;
  const Load& task = loads_[std::get<2>(waiting_.front())];
  for (const Running& other : running_) {
    if (!goes_first(machine_, task, loads_[other.task]) || !use_of(other.task).fills()) continue;
    const std::int64_t wave = wave_of(other);
    const std::int64_t ends = other.since + ((now - other.since) / wave + 1) * wave;
    if (next == never || ends < next) next = ends;
  }
  return next;
}

bool BlockScheduler::has_room(const Load& task, std::int64_t now) const {
  if (task.geometry == no_index) return true;
  in_the_way_.clear();
  for (const Running& other : running_) {
    if (!is_in_the_way(task, other, now)) continue;
    in_the_way_.push_back(&use_of(other.task));
  }
  return fit_of(machine_.uses[task.geometry], in_the_way_) != Fit::none;
}

// The kernel takes room from those of lower priority whose blocks are still being dealt out.
void BlockScheduler::crowd(std::uint32_t task, std::int64_t now) {
  if (!rule::crowded) return;
  const Load& own = loads_[task];
  for (const Running& other : running_) {
    const Load& there = loads_[other.task];
    if (!goes_first(machine_, own, there) || !is_dealt_out(other.since, now) ||
        there.rank != no_index || use_of(other.task).fills() || partial_.has(other.task) ||
        fit_of(use_of(other.task), {&use_of(task)}) == Fit::all) {
      continue;
    }
    partial_.add(other.task, other.has_started, {task});
    if (other.has_started) crowded_.push_back(other.task);
  }
}

const SmUse& BlockScheduler::use_of(std::uint32_t task) const {
  return machine_.uses[loads_[task].geometry];
}

}  // namespace lapscope::analyzer
