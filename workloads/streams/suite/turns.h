#pragma once

#include <atomic>
#include <cstddef>
#include <thread>

namespace lapscope::workloads::streams {

// Lets several threads issue the tiles of one pipeline in the order of the tiles. Runs are
// therefore repeatable. Thread t takes the turns t, t + threads, and so on. A thread polls for its
// turn, because waking a sleeping thread takes longer than issuing a tile.
class Turns {
 public:
  // The destructor gives the turn to the next thread, also after an exception.
  class Turn {
   public:
    explicit Turn(Turns& turns) : turns_(turns) {}
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    ~Turn() { turns_.pass(); }

   private:
    Turns& turns_;
  };

  // Waits for the turn.
  Turn take(std::size_t turn) {
    while (current_ < turn) std::this_thread::yield();
    return Turn(*this);
  }

 private:
  void pass() { ++current_; }

  std::atomic<std::size_t> current_ = 0;
};

}  // namespace lapscope::workloads::streams
