#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

#include "analyzer/intervals/units.h"

namespace lapscope::analyzer {

// Kinds of events. Events of the same time are handled in this order.
enum class EventKind : std::uint8_t {
  task_ends,
  room_made,  // a task frees room for others
  wave_ends,  // a wave of a kernel ends: waiting kernels may find room
  call_ready,
  ready,  // a task is ready
  starts,
  call_ends,  // a call ends: handled as soon as its time is known, and never queued
};

struct Event {
  Ns time = 0;
  EventKind kind = EventKind::ready;
  std::uint32_t index = 0;    // of the task or call; for wave_ends, of the resource
  std::uint32_t version = 0;  // only the newest of a task or resource counts; 0: final

  friend bool operator<(const Event& a, const Event& b) {
    if (a.time != b.time) return a.time < b.time;
    return std::tie(a.kind, a.index, a.version) < std::tie(b.kind, b.index, b.version);
  }
  friend bool operator>(const Event& a, const Event& b) { return b < a; }
};

// The pending events of a run. Usually there are few, and the event that was pushed last occurs
// next. So a sorted vector holds the soonest events, and a heap holds the others.
class EventQueue {
 public:
  bool empty() const { return soon_.empty() && later_.empty(); }

  void push(const Event& event) {
    if (!later_.empty() && event > later_.front()) {
      push_later(event);
      return;
    }
    std::size_t place = soon_.size();
    soon_.push_back(event);
    while (place > 0 && soon_[place - 1] < event) {
      soon_[place] = soon_[place - 1];
      --place;
    }
    soon_[place] = event;
    if (soon_.size() > most_soon) put_off();
  }

  // The queue must not be empty.
  Event pop() {
    if (soon_.empty()) bring_forward();
    const Event next = soon_.back();
    soon_.pop_back();
    return next;
  }

 private:
  static constexpr std::size_t most_soon = 32;

  void push_later(const Event& event) {
    later_.push_back(event);
    std::push_heap(later_.begin(), later_.end(), std::greater<>());
  }
  void put_off() {
    constexpr std::size_t half = most_soon / 2;
    for (std::size_t i = 0; i < half; ++i) push_later(soon_[i]);
    soon_.erase(soon_.begin(), soon_.begin() + half);
  }
  void bring_forward() {
    const std::size_t count = std::min(later_.size(), most_soon / 2);
    soon_.resize(count);
    for (std::size_t i = count; i-- > 0;) {
      std::pop_heap(later_.begin(), later_.end(), std::greater<>());
      soon_[i] = later_.back();
      later_.pop_back();
    }
  }

  std::vector<Event> soon_;   // sorted, the soonest last; none is later than any in later_
  std::vector<Event> later_;  // a heap
};

}  // namespace lapscope::analyzer
