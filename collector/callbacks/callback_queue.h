#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "collector/callbacks/callback_events.h"

namespace lapscope::callbacks {

// Events on their way from the program's threads to the one that writes them. push() may be called
// in any thread and waits for none: neither for another, nor for its own where a signal handler has
// interrupted that in a push. The rest is for one thread.
//
// There are several lanes, so that threads which push at once do not meet: each thread starts with
// its own lane, and takes the next one if that lane is in use. Numbers give the order.
class EventQueue {
 public:
  // 72 MiB. More than this between two takes, which are a flush period apart, are counted as lost.
  static constexpr std::size_t most = std::size_t{1} << 20;

  void push(const Event& event) noexcept;

  // What was pushed before the call, in the order in which it was pushed.
  std::vector<Event> take();

  // How many could not be kept since the last time.
  std::int64_t take_lost() { return lost_.exchange(0); }

  // How many the last take() left behind, because a thread was stopped in the middle of a push: by
  // a signal handler that ends the program, say.
  std::int64_t left_behind() const { return left_behind_; }

 private:
  struct Numbered {
    std::uint64_t number;
    Event event;
  };
  struct alignas(64) Lane {
    std::atomic<bool> in_use{false};
    std::vector<Numbered> events;      // of whoever has set in_use
    std::atomic<std::size_t> size{0};  // of events
    std::vector<Numbered> emptied;     // of take(): its room is used again
  };

  bool keep(Lane& lane, const Event& event) noexcept;
  bool take(Lane& lane);

  std::array<Lane, 16> lanes_;
  alignas(64) std::atomic<std::uint64_t> pushed_{0};
  alignas(64) std::atomic<std::uint64_t> taken_{0};
  std::atomic<std::int64_t> lost_{0};

  std::vector<Numbered> later_;  // came while others were taken
  std::int64_t left_behind_ = 0;
};

}  // namespace lapscope::callbacks
