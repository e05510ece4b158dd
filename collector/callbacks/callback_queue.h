#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "collector/callbacks/callback_events.h"

namespace lapscope::callbacks {

// A queue of events from the program's threads to the thread that writes them. Any thread may call
// push(). A signal handler may call push() even if it has interrupted another push(), because
// push() never waits. Only one thread may call the other functions.
//
// The queue has several lanes, so that threads that push at the same time rarely use the same lane.
// Each thread has a lane, which it tries first. If a lane is in use, the thread tries the next
// lane. Each event has a number, which gives its place in the order of all events.
class EventQueue {
 public:
  // The maximum number of events in the queue. They take up 72 MiB. If the queue is full, further
  // events are counted as lost. take() empties the queue once in each flush period.
  static constexpr std::size_t most = std::size_t{1} << 20;

  void push(const Event& event) noexcept;

  // Removes and returns the events that were pushed before this call, in the order of their
  // numbers.
  std::vector<Event> take();

  // Returns the number of events lost since the last call of this function.
  std::int64_t take_lost() { return lost_.exchange(0); }

  // Returns the number of events that the last take() left in the queue. take() cannot read a lane
  // whose thread was stopped during push(), for example by a signal handler that ends the program.
  std::int64_t left_behind() const { return left_behind_; }

 private:
  struct Numbered {
    std::uint64_t number;
    Event event;
  };
  struct alignas(64) Lane {
    std::atomic<bool> in_use{false};
    std::vector<Numbered> events;      // only for the thread that has set in_use
    std::atomic<std::size_t> size{0};  // the size of `events`
    std::vector<Numbered> emptied;     // for take(), which reuses its memory
  };

  bool keep(Lane& lane, const Event& event) noexcept;
  bool take(Lane& lane);

  std::array<Lane, 16> lanes_;
  alignas(64) std::atomic<std::uint64_t> pushed_{0};
  alignas(64) std::atomic<std::uint64_t> taken_{0};
  std::atomic<std::int64_t> lost_{0};

  std::vector<Numbered> later_;  // pushed during the last take()
  std::int64_t left_behind_ = 0;
};

}  // namespace lapscope::callbacks
