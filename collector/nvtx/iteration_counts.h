#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "collector/callbacks/own_process.h"

namespace lapscope::nvtx {

// Counts how many NVTX ranges of each name have begun, and times them while nothing is recorded.
// The ranges of one name are the iterations of a loop, numbered from 1. An armed process uses them
// in order to begin and end captures, and to compare recorded iterations with unrecorded ones.
//
// Thread-safe. The member functions throw nothing. In a child made by fork(), they do nothing.
class IterationCounts {
 public:
  // Counts the begin of a range. `depth` is the number of ranges that are open in the same thread
  // and domain.
  void count(const std::string& name, bool is_default_domain, std::size_t depth) noexcept;

  // Adds the time from open to close of a range (utc ns), unless a part of it was recorded.
  void time(const std::string& name, std::uint64_t open, std::uint64_t close) noexcept;
  // Times no ranges from now on, because the process is recorded; or times ranges again, from those
  // that open later than `now` (utc ns).
  void pause_timing() noexcept;
  void resume_timing(std::uint64_t now) noexcept;

  struct Iteration {
    std::int64_t number = 0;  // from 1, in the order in which unrecorded iterations closed
    std::int64_t ns = 0;
  };
  // The last `most_timed` iterations that were not recorded, oldest first.
  static constexpr std::size_t most_timed = 64;
  std::vector<Iteration> unrecorded(const std::string& name) noexcept;

  // The number of ranges that have begun.
  std::int64_t begun(const std::string& name) noexcept;

  // Returns the name that most likely belongs to the outermost loop of the program: among the names
  // that have begun twice or more, one of the default domain before others, then the one at the
  // lowest depth, then the most frequent one. Nothing if no name has begun twice.
  std::optional<std::string> outermost_loop() noexcept;

  // The alarm is the eventfd `event`, which becomes readable. There is one alarm: each call
  // replaces the alarm before. set_alarm() rings as soon as `count` ranges of this name have begun,
  // which may be at once. set_slow_alarm() rings when a range of this name closes that took more
  // than `factor` times the median of those that unrecorded() returns, if they are at least
  // `enough_timed`.
  void set_alarm(const std::string& name, std::int64_t count, int event) noexcept;
  static constexpr std::size_t enough_timed = 16;
  void set_slow_alarm(const std::string& name, double factor, int event) noexcept;
  void clear_alarm() noexcept;

 private:
  struct Loop {
    std::int64_t begun = 0;
    bool is_default_domain = false;
    std::size_t depth = 0;  // the lowest
    std::int64_t timed = 0;
    std::vector<std::int64_t> ns;  // a ring: the iteration with number n is at (n - 1) % most_timed
  };
  struct Alarm {
    std::string name;
    std::int64_t count = 0;  // 0: rings when an iteration is slow
    double factor = 0;       // of the median of earlier iterations, if an iteration is slow
    int event = -1;
  };
  static bool is_slow(const Loop& loop, std::int64_t ns, double factor);
  void ring(const Alarm& alarm) noexcept;

  const callbacks::OwnProcess own_process_;
  std::mutex mutex_;  // guards the rest
  std::map<std::string, Loop> loops_;
  std::optional<Alarm> alarm_;
  std::uint64_t timed_from_ = 0;  // utc ns; ranges that open earlier are not timed
};

}  // namespace lapscope::nvtx
