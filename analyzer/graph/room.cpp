#include "analyzer/graph/room.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {

void Room::finish() {
  leave(std::numeric_limits<std::int64_t>::max());
  std::erase_if(graph_->kept_out, [this](const KeptOut& pair) {
    return together_.count({pair.kernel, pair.holder}) > 0;
  });
  for (const std::uint32_t shape : closed_) {
    if (opened_.count(shape) == 0) graph_->uses[shape].spare = 0;
  }
}

std::uint32_t Room::made_by(std::uint32_t kernel, std::int64_t release) {
  const Task& own = task(kernel);
  if (own.geometry == no_index) return no_index;
  leave(own.start);
  const SmUse& use = graph_->uses[own.geometry];
  const Fit fit = fit_of(use, uses_of(active_));
  const bool waited = release != never && own.start - release > assumed::start_at_once;
  std::uint32_t maker = no_index;
  bool is_partial = false;
  if (fit == Fit::none) {
    maker = squeezed_in(kernel, waited);
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
      share(kernel, std::move(holders));
    }
  }
  active_.push_back({kernel, is_partial, shapes_running()});
  return maker;
}

std::vector<const SmUse*> Room::uses_of(const std::vector<Active>& kernels) const {
  std::vector<const SmUse*> uses;
  for (const Active& one : kernels) uses.push_back(&graph_->uses[task(one.kernel).geometry]);
  return uses;
}

// A kernel got in though the others leave no room. Of higher priority, it took it from one whose
// blocks were still being dealt out. Otherwise the others left room from now on, to judge by this;
// when those whose blocks take turns did is known. The first of them to end.
std::uint32_t Room::squeezed_in(std::uint32_t kernel, bool waited) {
  const Task& own = task(kernel);
  const auto priority = [this](const Task& of) { return graph_->streams[of.stream].priority; };
  std::uint32_t maker = no_index;
  for (Active& other : active_) {
    Task& holder = graph_->tasks.edit()[other.kernel];
    if (priority(own) < priority(holder) && own.start - holder.start <= assumed::dealing_out) {
      if (!other.is_partial) share(other.kernel, {kernel});
      other.is_partial = true;
      continue;
    }
    const bool yields = priority(own) < priority(holder) && graph_->uses[holder.geometry].fills();
    if (!other.is_partial && !yields) {
      holder.lets_in = std::max(holder.lets_in, holder.end - own.start);
      holder.is_room_seen = holder.is_room_seen || waited;
      if (holder.lets_in > assumed::start_at_once) opened_.insert(holder.geometry);
    }
    if (maker == no_index || task(maker).end > holder.end) maker = other.kernel;
  }
  return maker;
}

// A kernel started when the last one of those that took all had ended, and may have been there in
// time for its last wave.
void Room::note_last_waves(std::int64_t release) {
  for (const Active& one : last_running_) {
    Task& holder = graph_->tasks.edit()[one.kernel];
    const SmUse& use = graph_->uses[holder.geometry];
    if (!use.fills() || release == never) continue;
    if (release >= holder.end - assumed::longest_latency) continue;
    holder.is_room_seen = true;
    const double left = use.spare * static_cast<double>(holder.end - holder.start);
    const auto leaves = holder.end - std::llround(left);
    const bool was_there = release < leaves - assumed::longest_latency;
    if (was_there && left > assumed::start_at_once) closed_.insert(holder.geometry);
  }
}

// By occupancy there was room, but the kernel waited from its release on, beside one that ran all
// that time, and started as soon as that one ended. Nothing else explains its delay.
std::uint32_t Room::kept_out_by(std::uint32_t kernel, std::int64_t release) {
  const Task& own = task(kernel);
  if (own.start - release <= assumed::longest_latency) return no_index;
  std::uint32_t holder = no_index;
  const auto consider = [&](std::uint32_t other) {
    const Task& there = task(other);
    const bool was_there =
        there.start <= release + assumed::longest_latency && there.stream != own.stream;
    const bool ended =
        std::max(there.end - own.start, own.start - there.end) <= assumed::start_at_once;
    if (was_there && ended) holder = other;
  };
  if (last_left_ != no_index) consider(last_left_);
  for (const Active& other : active_) consider(other.kernel);
  if (holder == no_index) return no_index;
  Task& there = graph_->tasks.edit()[holder];
  there.lets_in = std::max(there.lets_in, there.end - own.start);
  const auto is_known = [&](const KeptOut& known) {
    return known.kernel == own.geometry && known.holder == there.geometry;
  };
  if (std::none_of(graph_->kept_out.begin(), graph_->kept_out.end(), is_known)) {
    graph_->kept_out.push_back({own.geometry, there.geometry});
  }
  return holder;
}

std::array<std::uint32_t, 4> Room::shapes_running() const {
  std::array<std::uint32_t, 4> shapes;
  shapes.fill(no_index);
  for (std::size_t i = 0; i < std::min(shapes.size(), active_.size()); ++i) {
    shapes[i] = task(active_[i].kernel).geometry;
  }
  return shapes;
}

// A kernel that starts beside one that goes on for longer is not kept out by such a one, unless
// that had left the room of another one of its shape alone.
void Room::note_who_runs_beside(std::uint32_t kernel) {
  const Task& own = task(kernel);
  for (const Active& other : active_) {
    const bool found_its_own =
        std::count(other.beside.begin(), other.beside.end(), own.geometry) > 0;
    if (task(other.kernel).end - own.start <= assumed::start_at_once || found_its_own) continue;
    together_.insert({own.geometry, task(other.kernel).geometry});
  }
}

void Room::share(std::uint32_t kernel, std::vector<std::uint32_t> holders) {
  for (const std::uint32_t holder : holders) {
    const bool is_new = crowded_.insert({task(kernel).geometry, task(holder).geometry}).second;
    if (is_new) graph_->crowded.push_back({kernel, holder});
  }
  partial_.push_back({kernel, std::move(holders)});
}

void Room::leave(std::int64_t now) {
  while (true) {
    const auto next =
        std::min_element(active_.begin(), active_.end(), [this](const Active& a, const Active& b) {
          return task(a.kernel).end < task(b.kernel).end;
        });
    if (next == active_.end() || task(next->kernel).end > now) return;
    last_running_ = active_;
    last_left_ = next->kernel;
    active_.erase(next);
    complete(last_left_);
  }
}

// A kernel has ended: those that waited for its room have all of theirs when it was the last one.
void Room::complete(std::uint32_t ended) {
  std::erase_if(partial_, [&](Partial& one) {
    if (one.kernel == ended) {
      set_lasted(one.kernel, std::numeric_limits<std::int64_t>::max());
      return true;
    }
    std::erase(one.holders, ended);
    if (!one.holders.empty()) return false;
    set_lasted(one.kernel, task(ended).end);
    return true;
  });
}

// A kernel of one wave that started with some of its blocks took longer by what the others had to
// wait: for the room of another kernel, or for that of its own first blocks.
//
//   A  AAAA              B has room for half of its blocks at once, and for the others when A
//   B    BBBBBBBB        ends: its blocks take 6, and so would B alone
//
//   A  AAAAAAAAAAAA      A ends too late: the others take the place of the first,
//   B    BBBBBBBB        and all take 4
//
// One that spins until its peers run as well takes what they make it take.
void Room::set_lasted(std::uint32_t kernel, std::int64_t others_ended) {
  Task& own = graph_->tasks.edit()[kernel];
  if (own.rank != no_index) return;
  const std::int64_t half = (own.end - own.start) / 2;
  const bool were_first = others_ended <= own.start + half;
  own.lasted = std::min(own.lasted, were_first ? own.end - others_ended : half);
}

}  // namespace lapscope::analyzer
