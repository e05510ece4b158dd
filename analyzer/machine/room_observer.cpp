#include "analyzer/machine/room_observer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "analyzer/model/assumptions.h"
#include "analyzer/model/rules.h"

namespace lapscope::analyzer {

void RoomObserver::start(std::uint32_t kernel, Ns now) {
  if (shape_of(kernel) == no_index) return;
  Running own{.kernel = kernel, .since = now, .beside = kernels()};
  const std::uint32_t by = freed_by(own, recorded_.released[kernel]);
  if (by != no_index) {
    seen_.blockers[kernel] = {by, std::min(end_of(by), now), Cause::sm_saturated};
  }
  running_.push_back(std::move(own));
  announce({end_of(kernel), EventKind::task_ends, kernel});
}

// Returns the kernel whose end made room for `own`; no_index if `own` did not wait for room. If
// `own` waited, but started although no room was free, returns the running kernel that ends first.
// `release`: from this time on, only the lack of room could delay `own`. May be `never`.
std::uint32_t RoomObserver::freed_by(Running& own, Ns release) {
  const bool waited = release != never && own.since - release > assumed::start_at_once;
  const Fit fit = fit_beside(own.kernel, own.beside);
  if (fit == Fit::none) {
    const std::uint32_t first = started_without_room(own, waited);
    return waited ? first : no_index;
  }
  if (fit == Fit::some) share(own, own.beside);
  note_who_runs_beside(own);
  if (last_left_ != no_index && fit_beside(own.kernel, last_running_) == Fit::none) {
    note_last_waves(release);
    return last_left_;
  }
  return waited ? kept_out_by(own, release) : no_index;
}

// Notes why `own` could start although the running kernels leave no room. The reason depends on the
// running kernel R:
// - R has a lower priority than `own`, and the blocks of R were still being placed: `own` took room
//   from R.
// - R runs with only some of its blocks: no reason is noted.
// - R has a lower priority than `own`, and R has several waves: no reason is noted, because R may
//   leave room to `own` after any wave.
// - Otherwise: R is assumed to have left room in its last wave.
//
// Returns the running kernel that ends first. Ignores kernels from which `own` took room.
std::uint32_t RoomObserver::started_without_room(const Running& own, bool waited) {
  std::uint32_t maker = no_index;
  for (Running& other : running_) {
    if (crowds(own.kernel, other, own.since)) {
      if (!other.is_partial) share(other, {own.kernel});
      continue;
    }
    if (rule::last_wave_overlap && !other.is_partial && !yields_to(own.kernel, other)) {
      Lengths& seen = seen_.lengths[other.kernel];
      seen.last_wave_overlap = std::max(seen.last_wave_overlap, end_of(other.kernel) - own.since);
      seen.is_room_seen = seen.is_room_seen || waited;
      if (seen.last_wave_overlap > assumed::start_at_once) {
        opened_.insert(shape_of(other.kernel));
        seen_.without_spare.erase(shape_of(other.kernel));
      }
    }
    if (maker == no_index || end_of(maker) > end_of(other.kernel)) maker = other.kernel;
  }
  return maker;
}

// A kernel W was ready at `release`, but had no room beside the kernels in last_running_. Notes
// facts about each of these kernels that has several waves:
// - Sets Lengths::is_room_seen of the kernel.
// - If W was ready before the kernel's last wave began, this last wave left no room. Adds the shape
//   of the kernel to Observation::without_spare, unless the shape is in opened_.
void RoomObserver::note_last_waves(Ns release) {
  for (const std::uint32_t kernel : last_running_) {
    const Interval holder = recorded_.times[kernel];
    const SmUse& use = use_of(kernel);
    if (!use.fills() || release == never) continue;
    if (release >= holder.end - assumed::longest_latency) continue;
    seen_.lengths[kernel].is_room_seen = true;
    const double left = use.spare * static_cast<double>(holder.length());
    const auto leaves = holder.end - std::llround(left);
    const bool was_there = release < leaves - assumed::longest_latency;
    const bool is_closed = was_there && left > assumed::start_at_once;
    const std::uint32_t shape = shape_of(kernel);
    if (is_closed && !opened_.contains(shape)) seen_.without_spare.insert(shape);
  }
}

// `own` waited although occupancy left room, and nothing else explains the delay. Returns the
// kernel that is assumed to be the reason; no_index if there is none. That kernel belongs to
// another stream. It ran while `own` waited, and ended just when `own` started.
std::uint32_t RoomObserver::kept_out_by(const Running& own, Ns release) {
  const Ns now = own.since;
  if (now - release <= assumed::longest_latency || !rule::kept_out) return no_index;
  std::uint32_t holder = no_index;
  const auto consider = [&](std::uint32_t other) {
    const Interval there = recorded_.times[other];
    const bool was_there = there.start <= release + assumed::longest_latency &&
                           work_.tasks[other].stream != work_.tasks[own.kernel].stream;
    const bool ended = std::max(there.end - now, now - there.end) <= assumed::start_at_once;
    if (was_there && ended) holder = other;
  };
  if (last_left_ != no_index) consider(last_left_);
  for (const Running& other : running_) consider(other.kernel);
  if (holder == no_index) return no_index;
  Lengths& seen = seen_.lengths[holder];
  seen.last_wave_overlap = std::max(seen.last_wave_overlap, end_of(holder) - now);
  const KeptOut pair{shape_of(own.kernel), shape_of(holder)};
  const bool is_known = std::ranges::count(seen_.kept_out, pair) > 0;
  if (!is_known && !together_.contains(pair)) seen_.kept_out.push_back(pair);
  return holder;
}

// `own` starts while other kernels run. For each running kernel R, this shows that kernels with the
// shape of `own` need not wait for kernels with the shape of R. So the pair of both shapes is
// removed from Observation::kept_out. R is ignored in two cases:
// - R ends now.
// - R began beside a kernel with the shape of `own` (began_beside()).
void RoomObserver::note_who_runs_beside(const Running& own) {
  const std::uint32_t shape = shape_of(own.kernel);
  for (const Running& other : running_) {
    const bool ends_now = end_of(other.kernel) - own.since <= assumed::start_at_once;
    if (ends_now || began_beside(shape, other)) continue;
    const KeptOut pair{shape, shape_of(other.kernel)};
    if (together_.insert(pair).second) std::erase(seen_.kept_out, pair);
  }
}

// Notes that `one` runs with only some of its blocks, because `holders` occupy the room for the
// other blocks.
void RoomObserver::share(Running& one, const std::vector<std::uint32_t>& holders) {
  one.is_partial = true;
  if (!rule::crowded) return;
  for (const std::uint32_t holder : holders) {
    const bool is_new = crowded_.insert({shape_of(one.kernel), shape_of(holder)}).second;
    if (is_new) seen_.crowded.push_back({one.kernel, holder});
  }
  partial_.add(one.kernel, true, holders);
}

// Notes that a kernel has ended. Sets Lengths::all_resident of two sorts of kernels: those that
// have room for all their blocks from now on, and the ended kernel itself, if other kernels
// occupied some of its room until it ended.
bool RoomObserver::leave(const Event& event) {
  last_left_ = event.index;
  last_running_ = kernels();
  for (const std::uint32_t kernel : Room::leave(event.index)) {
    const bool is_own = kernel == event.index;
    set_all_resident(kernel, is_own ? std::numeric_limits<Ns>::max() : event.time);
  }
  return true;
}

// Sets Lengths::all_resident of a kernel that started with only some of its blocks. The other
// blocks waited until another kernel ended, or until the first blocks ended:
//
//   A                AAAA            The other blocks of B start when A ends. B took 8 columns, and
//   B, first blocks    BBBBBB        would take 6 columns alone.
//   B, other blocks      BBBBBB
//
//   A                AAAAAAAAAAAA    The other blocks of B start when the first blocks end. B took
//   B, first blocks    BBBB          8 columns, and would take 4 columns alone.
//   B, other blocks        BBBB
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
