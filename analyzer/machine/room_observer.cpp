#include "analyzer/machine/room_observer.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analyzer/model/assumptions.h"
#include "analyzer/model/rules.h"

namespace lapscope::analyzer {

void RoomObserver::finish() {
  leave(std::numeric_limits<Ns>::max());
  std::erase_if(seen_.kept_out, [this](const KeptOut& pair) {
    return together_.count({pair.kernel, pair.holder}) > 0;
  });
  for (const std::uint32_t shape : closed_) {
    if (opened_.count(shape) == 0) seen_.without_spare.push_back(shape);
  }
}

std::uint32_t RoomObserver::freed_by(std::uint32_t kernel, Ns release) {
  if (shape_of(kernel) == no_index) return no_index;
  const Interval own = recorded_.times[kernel];
  leave(own.start);
  const SmUse& use = use_of(kernel);
  const Fit fit = fit_of(use, uses_of(active_));
  const bool waited = release != never && own.start - release > assumed::start_at_once;
  std::uint32_t maker = no_index;
  bool is_partial = false;
  if (fit == Fit::none) {
    maker = started_without_room(kernel, waited);
    if (!waited) maker = no_index;
  } else {
    if (last_left_ != no_index && fit_of(use, uses_of(last_running_)) == Fit::none) {
      maker = last_left_;
      note_last_waves(release);
    } else if (waited) {
      maker = kept_out_by(kernel, release);
    }
    note_who_runs_beside(kernel);
    is_partial = fit == Fit::some;
    if (is_partial) {
      std::vector<std::uint32_t> holders;
      for (const Active& other : active_) holders.push_back(other.kernel);
      share(kernel, holders);
    }
  }
  active_.push_back({kernel, is_partial, shapes_running()});
  return maker;
}

std::vector<const SmUse*> RoomObserver::uses_of(const std::vector<Active>& kernels) const {
  std::vector<const SmUse*> uses;
  for (const Active& one : kernels) uses.push_back(&use_of(one.kernel));
  return uses;
}

// Notes why `kernel` could start although the running kernels leave no room. Each running kernel is
// in one of these cases:
// - It has a lower priority, and its blocks were still being placed: `kernel` took room from it.
// - It runs with only some of its blocks: nothing is noted.
// - It has a lower priority and several waves: nothing is noted, because it may have yielded after
//   a wave.
// - In all other cases, it is assumed to have left room in its last wave.
//
// Returns the running kernel that ends first, except for those from which `kernel` took room.
std::uint32_t RoomObserver::started_without_room(std::uint32_t kernel, bool waited) {
  const Ns now = recorded_.times[kernel].start;
  std::uint32_t maker = no_index;
  for (Active& other : active_) {
    const Interval holder = recorded_.times[other.kernel];
    const bool first = goes_first(work_, kernel, other.kernel);
    if (first && is_dealt_out(holder.start, now)) {
      if (!other.is_partial) share(other.kernel, {kernel});
      other.is_partial = true;
      continue;
    }
    const bool yields = first && use_of(other.kernel).fills();
    if (rule::last_wave_overlap && !other.is_partial && !yields) {
      Lengths& seen = seen_.lengths[other.kernel];
      seen.last_wave_overlap = std::max(seen.last_wave_overlap, holder.end - now);
      seen.is_room_seen = seen.is_room_seen || waited;
      if (seen.last_wave_overlap > assumed::start_at_once) opened_.insert(shape_of(other.kernel));
    }
    if (maker == no_index || end_of(maker) > holder.end) maker = other.kernel;
  }
  return maker;
}

// `kernel` was ready at `release`, but started only when the kernels that occupied all room had
// ended. If the last wave of such a kernel began after `release`, this wave left no room.
void RoomObserver::note_last_waves(Ns release) {
  for (const Active& one : last_running_) {
    const Interval holder = recorded_.times[one.kernel];
    const SmUse& use = use_of(one.kernel);
    if (!use.fills() || release == never) continue;
    if (release >= holder.end - assumed::longest_latency) continue;
    seen_.lengths[one.kernel].is_room_seen = true;
    const double left = use.spare * static_cast<double>(holder.length());
    const auto leaves = holder.end - std::llround(left);
    const bool was_there = release < leaves - assumed::longest_latency;
    if (was_there && left > assumed::start_at_once) closed_.insert(shape_of(one.kernel));
  }
}

// `kernel` waited although occupancy left room, and nothing else explains the delay. Returns the
// kernel that is assumed to be the reason; no_index if there is none. That kernel belongs to
// another stream. It ran while `kernel` waited, and ended just when `kernel` started.
std::uint32_t RoomObserver::kept_out_by(std::uint32_t kernel, Ns release) {
  const Ns now = recorded_.times[kernel].start;
  if (now - release <= assumed::longest_latency || !rule::kept_out) return no_index;
  std::uint32_t holder = no_index;
  const auto consider = [&](std::uint32_t other) {
    const Interval there = recorded_.times[other];
    const bool was_there = there.start <= release + assumed::longest_latency &&
                           work_.tasks[other].stream != work_.tasks[kernel].stream;
    const bool ended = std::max(there.end - now, now - there.end) <= assumed::start_at_once;
    if (was_there && ended) holder = other;
  };
  if (last_left_ != no_index) consider(last_left_);
  for (const Active& other : active_) consider(other.kernel);
  if (holder == no_index) return no_index;
  Lengths& seen = seen_.lengths[holder];
  seen.last_wave_overlap = std::max(seen.last_wave_overlap, end_of(holder) - now);
  const auto is_known = [&](const KeptOut& known) {
    return known.kernel == shape_of(kernel) && known.holder == shape_of(holder);
  };
  if (std::none_of(seen_.kept_out.begin(), seen_.kept_out.end(), is_known)) {
    seen_.kept_out.push_back({shape_of(kernel), shape_of(holder)});
  }
  return holder;
}

std::array<std::uint32_t, 4> RoomObserver::shapes_running() const {
  std::array<std::uint32_t, 4> shapes;
  shapes.fill(no_index);
  for (std::size_t i = 0; i < std::min(shapes.size(), active_.size()); ++i) {
    shapes[i] = shape_of(active_[i].kernel);
  }
  return shapes;
}

// `kernel` starts beside the running kernels. Notes that their shapes do not keep the shape of
// `kernel` out (KeptOut). Ignores a running kernel that started beside an earlier kernel of the
// same shape as `kernel`. In this case, `kernel` may have got the room of the earlier kernel.
void RoomObserver::note_who_runs_beside(std::uint32_t kernel) {
  const std::uint32_t own = shape_of(kernel);
  const Ns now = recorded_.times[kernel].start;
  for (const Active& other : active_) {
    const bool found_its_own = std::count(other.beside.begin(), other.beside.end(), own) > 0;
    if (end_of(other.kernel) - now <= assumed::start_at_once || found_its_own) continue;
    together_.insert({own, shape_of(other.kernel)});
  }
}

void RoomObserver::share(std::uint32_t kernel, const std::vector<std::uint32_t>& holders) {
  if (!rule::crowded) return;
  for (const std::uint32_t holder : holders) {
    const bool is_new = crowded_.insert({shape_of(kernel), shape_of(holder)}).second;
    if (is_new) seen_.crowded.push_back({kernel, holder});
  }
  partial_.add(kernel, true, holders);
}

void RoomObserver::leave(Ns now) {
  while (true) {
    const auto next = std::min_element(
        active_.begin(), active_.end(),
        [this](const Active& a, const Active& b) { return end_of(a.kernel) < end_of(b.kernel); });
    if (next == active_.end() || end_of(next->kernel) > now) return;
    last_running_ = active_;
    last_left_ = next->kernel;
    active_.erase(next);
    // A kernel has room for all its blocks when all kernels that occupied this room have ended.
    for (const std::uint32_t kernel : partial_.leave(last_left_)) {
      if (kernel == last_left_) {
        set_all_resident(kernel, std::numeric_limits<Ns>::max());
      } else {
        set_all_resident(kernel, end_of(last_left_));
      }
    }
  }
}

// Sets Lengths::all_resident of a kernel that started with only some of its blocks. The other
// blocks waited until another kernel ended, or until the first blocks ended. So a kernel of one
// wave took longer than alone:
//
//   A  AAAA              B has room for half of its blocks at first, and for the others when A
//   B    BBBBBBBB        ends. Each block of B takes 6 columns. B alone would also take 6.
//
//   A  AAAAAAAAAAAA      A ends too late: the other blocks of B take the place of B's first
//   B    BBBBBBBB        blocks. Each block of B takes 4 columns.
//
// Nothing is set for a kernel of a collective, because its length depends on the other ranks.
void RoomObserver::set_all_resident(std::uint32_t kernel, Ns others_ended) {
  if (work_.tasks[kernel].rank != no_index) return;
  const Interval own = recorded_.times[kernel];
  const Ns half = own.length() / 2;
  const bool were_first = others_ended <= own.start + half;
  Ns& all_resident = seen_.lengths[kernel].all_resident;
  all_resident = std::min(all_resident, were_first ? own.end - others_ended : half);
}

}  // namespace lapscope::analyzer
