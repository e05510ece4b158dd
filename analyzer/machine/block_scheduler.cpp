#include "analyzer/machine/block_scheduler.h"

#include <algorithm>
#include <cmath>

#include "analyzer/model/assumptions.h"
#include "analyzer/model/rules.h"

namespace lapscope::analyzer {

void BlockScheduler::enqueue(std::uint32_t task, Ns ready) {
  waiting_.emplace(work_.streams[work_.tasks[task].stream].priority, ready, task);
}

// Looks only at the first waiting kernel. If that kernel finds no room, it delays the kernels
// behind it.
BlockScheduler::Admitted BlockScheduler::admit(Ns now) {
  if (waiting_.empty()) return {};
  const auto [priority, ready, task] = waiting_.top();
  if (!has_room(task, now)) return {};
  waiting_.pop();
  if (work_.tasks[task].geometry != no_index) {
    running_.push_back({task, now, false, shapes_running()});
    crowd(task, now);
  }
  return {task, now > ready};
}

bool BlockScheduler::start(std::uint32_t task, Ns now) {
  if (work_.tasks[task].geometry == no_index) return true;
  const auto running = std::ranges::find(running_, task, &Running::task);
  running->has_started = true;
  if (partial_.start(task)) return false;
  running->since = now;
  std::vector<std::uint32_t> holders;
  in_the_way_.clear();
  for (auto other = running_.begin(); other != running; ++other) {  // admitted before `task`
    if (!is_in_the_way(task, *other, now)) continue;
    in_the_way_.push_back(&use_of(other->task));
    holders.push_back(other->task);
  }
  if (use_of(task).fills() || fit_of(use_of(task), in_the_way_) == Fit::all) return true;
  if (!rule::crowded) return true;
  partial_.add(task, true, holders);
  return false;
}

std::vector<std::uint32_t> BlockScheduler::leave(std::uint32_t task) {
  const auto own = std::ranges::find(running_, task, &Running::task);
  if (own != running_.end()) running_.erase(own);
  return partial_.leave(task);
}

// Returns the duration of one wave of a kernel's blocks. Assumes that all waves of the kernel take
// equally long. Returns at least `dealing_out`, because with shorter waves the simulation would
// look for room too often. Measured on an H200: a kernel of 12 waves was in its first wave when a
// kernel of high priority became ready. That kernel started when the first wave had ended.
Ns BlockScheduler::wave_of(const Running& one) const {
  const auto waves = static_cast<std::int64_t>(std::ceil(use_of(one.task).waves));
  return std::max(assumed::dealing_out.value,
                  work_.lengths[one.task].work / std::max<std::int64_t>(1, waves));
}

bool BlockScheduler::is_in_the_way(std::uint32_t task, const Running& other, Ns now) const {
  if (!goes_first(work_, task, other.task)) return true;
  if (is_dealt_out(other.since, now)) return false;
  return !use_of(other.task).fills() || (now - other.since) % wave_of(other) != 0;
}

Ns BlockScheduler::look_again(Ns now) const {
  Ns next = never;
  if (waiting_.empty()) return next;
  const std::uint32_t task = std::get<2>(waiting_.top());
  for (const Running& other : running_) {
    if (!goes_first(work_, task, other.task) || !use_of(other.task).fills()) continue;
    const Ns wave = wave_of(other);
    const Ns ends = other.since + ((now - other.since) / wave + 1) * wave;
    if (next == never || ends < next) next = ends;
  }
  return next;
}

bool BlockScheduler::has_room(std::uint32_t task, Ns now) const {
  const std::uint32_t shape = work_.tasks[task].geometry;
  if (shape == no_index) return true;
  if (running_.size() >= assumed::kernels_at_once) return false;
  in_the_way_.clear();
  for (const Running& other : running_) {
    if (!is_in_the_way(task, other, now)) continue;
    if (has_no_room_beside(shape, other)) return false;
    in_the_way_.push_back(&use_of(other.task));
  }
  return fit_of(machine_.uses[shape], in_the_way_) != Fit::none;
}

// Whether kernels of this shape cannot start beside `other`, although occupancy leaves room for
// them (KeptOut).
bool BlockScheduler::has_no_room_beside(std::uint32_t shape, const Running& other) const {
  const std::uint32_t holder = work_.tasks[other.task].geometry;
  for (const KeptOut& pair : machine_.kept_out) {
    const bool is_kept_out = pair.kernel == shape && pair.holder == holder;
    if (is_kept_out && !std::ranges::count(other.beside, shape)) {
      return true;
    }
  }
  return false;
}

// Takes room for `task` from kernels of lower priority that started a short time ago. Their blocks
// are still being placed.
void BlockScheduler::crowd(std::uint32_t task, Ns now) {
  if (!rule::crowded) return;
  for (const Running& other : running_) {
    if (!goes_first(work_, task, other.task) || !is_dealt_out(other.since, now) ||
        work_.tasks[other.task].rank != no_index || use_of(other.task).fills() ||
        partial_.has(other.task) || fit_of(use_of(other.task), {&use_of(task)}) == Fit::all) {
      continue;
    }
    partial_.add(other.task, other.has_started, {task});
    if (other.has_started) crowded_.push_back(other.task);
  }
}

std::vector<std::uint32_t> BlockScheduler::shapes_running() const {
  std::vector<std::uint32_t> shapes;
  if (machine_.kept_out.empty()) return shapes;
  for (const Running& one : running_) shapes.push_back(work_.tasks[one.task].geometry);
  return shapes;
}

const SmUse& BlockScheduler::use_of(std::uint32_t task) const {
  return machine_.uses[work_.tasks[task].geometry];
}

}  // namespace lapscope::analyzer
