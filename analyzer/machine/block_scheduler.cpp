#include "analyzer/machine/block_scheduler.h"

#include <algorithm>
#include <cmath>
#include <utility>

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
  if (shape_of(task) != no_index) {
    Running own{.kernel = task, .since = now};
    if (!machine_.kept_out.empty()) own.beside = kernels();
    running_.push_back(std::move(own));
    crowd(task, now);
  }
  return {task, now > ready};
}

bool BlockScheduler::start(std::uint32_t task, Ns now) {
  if (shape_of(task) == no_index) return true;
  const auto running = std::ranges::find(running_, task, &Running::kernel);
  running->has_started = true;
  if (partial_.start(task)) return false;
  running->since = now;
  in_the_way_.clear();
  for (auto other = running_.begin(); other != running; ++other) {  // admitted before `task`
    if (is_in_the_way(task, *other, now)) in_the_way_.push_back(other->kernel);
  }
  if (use_of(task).fills() || fit_beside(task, in_the_way_) == Fit::all) return true;
  if (!rule::crowded) return true;
  partial_.add(task, true, in_the_way_);
  return false;
}

// Returns the duration of one wave of a kernel's blocks. Assumes that all waves of the kernel take
// equally long. Returns at least `dealing_out`, because with shorter waves the simulation would
// look for room too often. Measured on an H200: a kernel of 12 waves was in its first wave when a
// kernel of high priority became ready. That kernel started when the first wave had ended.
Ns BlockScheduler::wave_of(const Running& one) const {
  const auto waves = static_cast<std::int64_t>(std::ceil(use_of(one.kernel).waves));
  return std::max(assumed::dealing_out.value,
                  work_.lengths[one.kernel].work / std::max<std::int64_t>(1, waves));
}

bool BlockScheduler::is_in_the_way(std::uint32_t task, const Running& other, Ns now) const {
  if (crowds(task, other, now)) return false;
  return !yields_to(task, other) || (now - other.since) % wave_of(other) != 0;
}

Ns BlockScheduler::look_again(Ns now) const {
  Ns next = never;
  if (waiting_.empty()) return next;
  const std::uint32_t task = std::get<2>(waiting_.top());
  for (const Running& other : running_) {
    if (!yields_to(task, other)) continue;
    const Ns wave = wave_of(other);
    const Ns ends = other.since + ((now - other.since) / wave + 1) * wave;
    if (next == never || ends < next) next = ends;
  }
  return next;
}

bool BlockScheduler::has_room(std::uint32_t task, Ns now) const {
  const std::uint32_t shape = shape_of(task);
  if (shape == no_index) return true;
  if (running_.size() >= assumed::kernels_at_once) return false;
  in_the_way_.clear();
  for (const Running& other : running_) {
    if (!is_in_the_way(task, other, now)) continue;
    const bool is_kept_out =
        std::ranges::count(machine_.kept_out, KeptOut{shape, shape_of(other.kernel)}) > 0;
    if (is_kept_out && !began_beside(shape, other)) return false;
    in_the_way_.push_back(other.kernel);
  }
  return fit_beside(task, in_the_way_) != Fit::none;
}

// Takes room for `task` from kernels of lower priority that started a short time ago, because
// blocks of these kernels are still being placed.
void BlockScheduler::crowd(std::uint32_t task, Ns now) {
  if (!rule::crowded) return;
  for (const Running& other : running_) {
    if (!crowds(task, other, now) || work_.tasks[other.kernel].rank != no_index ||
        use_of(other.kernel).fills() || partial_.has(other.kernel) ||
        fit_beside(other.kernel, {task}) == Fit::all) {
      continue;
    }
    partial_.add(other.kernel, other.has_started, {task});
    if (other.has_started) crowded_.push_back(other.kernel);
  }
}

}  // namespace lapscope::analyzer
