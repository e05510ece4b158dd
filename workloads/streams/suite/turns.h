#pragma once

#include <atomic>
#include <cstddef>
#include <thread>

namespace lapscope::workloads::streams {

// Lets several threads issue the tiles of one pipeline in the order of the tiles, so that a run can
// be repeated: thread t takes the turns t, t + threads, and so on. A thread looks for its turn
// without sleeping: waking it would take longer than issuing a tile.
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
    while (current_ < turn) std::this_thread::yield();
    return Turn(*this);
  }

 private:
  void pass() { ++current_; }

  std::atomic<std::size_t> current_ = 0;
};

}  // namespace lapscope::workloads::streams
