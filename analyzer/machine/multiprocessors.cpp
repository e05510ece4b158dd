#include "analyzer/machine/multiprocessors.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "analyzer/model/assumptions.h"
#include "analyzer/model/rules.h"

namespace lapscope::analyzer {
namespace {

double noted(double spare) {
  return spare > static_cast<double>(assumed::dealing_out.value) ? spare : 0;
}

}  // namespace

double LastWaves::spare(std::uint32_t t) const {
  if (!rule::last_waves) return 0;
  const Needs& task = work_.tasks[t];
  const Lengths& own = work_.lengths[t];
  if (task.geometry == no_index || task.rank != no_index || own.is_room_seen) return 0;
  const double most = machine_.uses[task.geometry].spare * static_cast<double>(own.work);
  return noted(own.last_wave_overlap > 0 ? most - own.last_wave_work : most);
}

// If this kernel waited for the last wave of another kernel, its first blocks start as soon as a
// multiprocessor becomes free.
Course LastWaves::start(std::uint32_t t, Ns now, Ns latency) {
  const Needs& task = work_.tasks[t];
  const Lengths& lengths = work_.lengths[t];
  const double work = static_cast<double>(lengths.work) + lengths.work_rest;
  if (task.geometry == no_index) return {work, 0, 0};
  const double seen = lengths.last_wave_overlap > 0 ? lengths.last_wave_work : 0;
  if (!rule::last_waves) return {work, seen, 0};
  if (lengths.is_room_seen || machine_.sharing == Sharing::most) return {work, seen, 0};
  const LastWave& wave = latest_;
  const bool waited = is_under_way(now) && now <= wave.begin + latency;
  const Ns begins = waited ? wave.begin : now;
  const SmUse& use = machine_.uses[task.geometry];
  const auto ahead = static_cast<double>(std::max<Ns>(0, wave.end - begins));
  // Assumes that blocks of one kernel class take equally long in all launches.
  const bool is_like = waited && wave.kernel_class == task.kernel_class;
  const double begun = is_like ? wave.left : ahead * std::ceil(use.waves) / std::max(1.0, work);
  Course own = course_of(use, work, ahead, begun);
  if (own.work != work) own.work -= static_cast<double>(now - begins);
  own.last_wave_overlap = std::max(noted(own.last_wave_overlap), seen);
  if (own.last_wave_overlap > 0 && own.waves_left > 0) coming_[t] = own;
  return own;
}

void LastWaves::begin_last_wave(std::uint32_t t, Ns now) {
  const auto own = coming_.find(t);
  if (own == coming_.end()) return;
  latest_ = {now, now + std::llround(own->second.last_wave_overlap), own->second.waves_left,
             work_.tasks[t].kernel_class};
  coming_.erase(own);
}

bool Multiprocessors::admit(std::uint32_t task, Ns now) {
  scheduler_.enqueue(task, now);
  serve(now);
  return false;
}

void Multiprocessors::serve(Ns now) {
  while (true) {
    const auto [task, has_waited] = scheduler_.admit(now);
    if (task == no_index) break;
    for (const std::uint32_t other : scheduler_.take_crowded()) {
      ++first_blocks_[other];
      stop_sharing(other, now);
    }
    announce({has_waited ? now + delays_.of_room(task) : now, EventKind::starts, task});
  }
  const Ns next = scheduler_.look_again(now);
  if (next == never || std::exchange(awaited_wave_, next) == next) return;
  announce({next, EventKind::wave_ends, self_});
}

void Multiprocessors::start(std::uint32_t t, Ns now) {
  if (scheduler_.start(t, now)) {
    run_with_all_blocks(t, now);
    return;
  }
  // Only the first blocks of the kernel run. In a collective, they wait for the kernels of other
  // devices, so the time of their end is not known. In this model, first blocks do not share the
  // throughput with other kernels, and take as long as in the trace.
  if (work_.tasks[t].rank != no_index) return;
  const Lengths& own = work_.lengths[t];
  const bool is_least = machine_.sharing == Sharing::least;
  const Ns take = is_least ? own.work : std::max(own.work, own.all_resident);
  announce({now + take, EventKind::room_made, t});
}

void Multiprocessors::run_with_all_blocks(std::uint32_t t, Ns now) {
  const Needs& task = work_.tasks[t];
  const Lengths& own = work_.lengths[t];
  if (task.kernel_class != no_index) share(t, now);
  if (task.rank == no_index) {
    if (task.kernel_class == no_index) announce({now + own.work, EventKind::task_ends, t});
    return;
  }
  if (own.last_wave_overlap > 0 && task.geometry != no_index) {
    const Ns until = std::max<Ns>(0, own.work - own.last_wave_overlap);
    announce({now + until, EventKind::room_made, t});
  }
  collectives_.join(t, now);
}

void Multiprocessors::share(std::uint32_t t, Ns now) {
  const Needs& task = work_.tasks[t];
  throughput_.clock().add(demand_of(machine_, task), doubt_of(machine_, task), now);
  shares_anew_ = true;
  if (task.rank != no_index) return;
  const Ns delay = last_waves_.is_under_way(now) ? delays_.of_room(t) : 0;
  const Course own = last_waves_.start(t, now, delay);
  throughput_.end_after(t, own.work, own.last_wave_overlap);
}

void Multiprocessors::stop_sharing(std::uint32_t t, Ns now) {
  const Needs& task = work_.tasks[t];
  throughput_.clock().remove(demand_of(machine_, task), doubt_of(machine_, task), now);
  shares_anew_ = true;
}

std::optional<Event> Multiprocessors::next(Ns now) {
  if (std::exchange(shares_anew_, false)) {
    if (const auto next = throughput_.next(now)) {
      const EventKind kind = next->ends ? EventKind::task_ends : EventKind::room_made;
      return Event{next->time, kind, next->task, next->version};
    }
  }
  if (const auto end = collectives_.next()) {
    return Event{end->second, EventKind::task_ends, end->first};
  }
  return Resource::next(now);
}

bool Multiprocessors::leave(const Event& event) {
  switch (event.kind) {
    case EventKind::task_ends:
      return end(event);
    case EventKind::room_made:
      if (!is_due(event)) return false;
      if (event.version != 0) last_waves_.begin_last_wave(event.index, event.time);
      make_room(event.index, event.time);
      return false;
    default:
      serve(event.time);
      return false;
  }
}

// Whether an event is up to date. Events of SharedThroughput have a version, and only the newest
// version is up to date. Events without a version (0) are always up to date.
bool Multiprocessors::is_due(const Event& event) {
  if (event.version == 0) return true;
  if (!throughput_.is_newest(event.version)) return false;
  throughput_.take_first();
  shares_anew_ = true;
  return true;
}

bool Multiprocessors::end(const Event& event) {
  const std::uint32_t t = event.index;
  if (!is_due(event)) return false;
  const auto first_blocks = first_blocks_.empty() ? first_blocks_.end() : first_blocks_.find(t);
  const bool has_ended = first_blocks == first_blocks_.end();
  if (has_ended) {
    if (work_.tasks[t].kernel_class != no_index) stop_sharing(t, event.time);
    if (scheduler_.is_waited_for()) last_waves_ns_ += std::llround(last_waves_.spare(t));
  } else if (--first_blocks->second == 0) {
    first_blocks_.erase(first_blocks);
  }
  make_room(t, event.time);
  return has_ended;
}

void Multiprocessors::make_room(std::uint32_t task, Ns now) {
  for (const std::uint32_t other : scheduler_.leave(task)) run_with_all_blocks(other, now);
  serve(now);
}

}  // namespace lapscope::analyzer
