#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace lapscope::workloads::streams {

// Lets several threads issue the tiles of one pipeline in the order of the tiles, so that a run can
// be repeated: thread t takes the turns t, t + threads, and so on.
class Turns {
 public:
  // Passes the turn on when it ends, also if an exception ends it.
  class Turn {
   public:
    explicit Turn(Turns& turns) : turns_(turns) {}
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    ~Turn() { turns_.pass(); }

   private:
    Turns& turns_;
  };

  // Waits for it.
  Turn take(std::size_t turn) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return current_ >= turn; });
    return Turn(*this);
  }

 private:
  void pass() {
    {
      const std::lock_guard lock(mutex_);
      ++current_;
    }
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t current_ = 0;
};

}  // namespace lapscope::workloads::streams
