#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "collector/callbacks/events.h"

namespace lapscope::callbacks {

// Events on their way from the program's threads to the one that writes them. Thread-safe; never
// blocks on more than a copy.
class EventQueue {
 public:
  // 64 MiB. More than this between two takes, which are a flush period apart, are counted as lost.
  static constexpr std::size_t most = std::size_t{1} << 20;

  void push(const Event& event) noexcept {
    const std::lock_guard lock(mutex_);
    try {
      if (events_.size() < most) {
        events_.push_back(event);
        return;
      }
    } catch (...) {  // no memory
    }
    ++lost_;
  }

  // In the order in which they were pushed.
  std::vector<Event> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(events_, {});
  }

  // How many could not be kept since the last time.
  std::int64_t take_lost() {
    const std::lock_guard lock(mutex_);
    return std::exchange(lost_, 0);
  }

 private:
  std::mutex mutex_;
  std::vector<Event> events_;
  std::int64_t lost_ = 0;
};

}  // namespace lapscope::callbacks
