#include "collector/callbacks/callback_queue.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "collector/process/thread_number.h"

namespace lapscope::callbacks {
namespace {

// The number of times that push() tries all lanes before the event is lost. A push takes some 30
// ns, so a lane is soon free, even if threads on all processors push at once.
constexpr int rounds_of_push = 64;
// The number of times that take() waits for `pause_of_take` if a lane is in use. A thread can lose
// its processor in the middle of a push, for a time slice or two.
constexpr int rounds_of_take = 200;
constexpr std::chrono::microseconds pause_of_take{50};

}  // namespace

void EventQueue::push(const Event& event) noexcept {
  // Threads are assigned to their first lanes in turn.
  const std::size_t own = process::thread_number();
  for (std::size_t i = 0; i < rounds_of_push * lanes_.size(); ++i) {
    Lane& lane = lanes_[(own + i) % lanes_.size()];
    if (lane.in_use.exchange(true, std::memory_order_acquire)) continue;
    const bool is_kept = keep(lane, event);
    lane.in_use.store(false, std::memory_order_release);
    if (!is_kept) lost_.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  lost_.fetch_add(1, std::memory_order_relaxed);
}

// Gives the event the next number, and adds it to the lane. The caller must have set Lane::in_use,
// so that take() does not read the lane between these two steps.
bool EventQueue::keep(Lane& lane, const Event& event) noexcept {
  const std::uint64_t number = pushed_.fetch_add(1, std::memory_order_acq_rel);
  try {
    if (number - taken_.load(std::memory_order_relaxed) < most) {
      lane.events.push_back({number, event});
      lane.size.store(lane.events.size(), std::memory_order_relaxed);
      return true;
    }
  } catch (...) {  // no memory
  }
  taken_.fetch_add(1, std::memory_order_relaxed);
  return false;
}

bool EventQueue::take(Lane& lane) {
  for (int round = 0; lane.in_use.exchange(true, std::memory_order_acquire); ++round) {
    if (round == rounds_of_take) return false;
    std::this_thread::sleep_for(pause_of_take);
  }
  lane.events.swap(lane.emptied);
  lane.size.store(0, std::memory_order_relaxed);
  lane.in_use.store(false, std::memory_order_release);
  return true;
}

std::vector<Event> EventQueue::take() {
  const std::uint64_t end = pushed_.load(std::memory_order_acquire);
  std::vector<Numbered> numbered;
  numbered.swap(later_);
  left_behind_ = 0;
  for (Lane& lane : lanes_) {
    if (!take(lane)) {
      left_behind_ += static_cast<std::int64_t>(lane.size.load(std::memory_order_relaxed));
      continue;
    }
    numbered.insert(numbered.end(), lane.emptied.begin(), lane.emptied.end());
    lane.emptied.clear();
  }
  const auto by_number = [](const Numbered& a, const Numbered& b) { return a.number < b.number; };
  if (!std::is_sorted(numbered.begin(), numbered.end(), by_number)) {
    std::sort(numbered.begin(), numbered.end(), by_number);
  }
  const auto rest = std::partition_point(numbered.begin(), numbered.end(),
                                         [end](const Numbered& n) { return n.number < end; });
  later_.assign(rest, numbered.end());
  std::vector<Event> events;
  events.reserve(static_cast<std::size_t>(rest - numbered.begin()));
  for (auto next = numbered.begin(); next != rest; ++next) events.push_back(next->event);
  taken_.fetch_add(events.size(), std::memory_order_relaxed);
  return events;
}

}  // namespace lapscope::callbacks
