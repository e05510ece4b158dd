#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "collector/callbacks/own_process.h"

namespace lapscope::nvtx {

// Counts the NVTX ranges of each name, and stores how long the last ones took. The ranges of one
// name are the iterations of a loop, numbered from 1. An armed process begins and ends captures at
// such iterations. It also compares recorded iterations with unrecorded ones.
//
// Thread-safe. The member functions throw nothing. In a child made by fork(), they do nothing.
class IterationCounts {
 public:
  // Counts the begin of a range. `depth` is the number of ranges that are open in the same thread
  // and domain.
  void count(const std::string& name, bool is_default_domain, std::size_t depth) noexcept;
  // Counts the end of a range, and adds its duration. count() must have counted the begin of the
  // range. `open` and `close` are its begin and end in UTC ns. If the clock was set back in
  // between, adds no duration.
  void time(const std::string& name, std::uint64_t open, std::uint64_t close) noexcept;

  // Removes all iterations from timed(). From now on, adds only iterations that open at `from` (UTC
  // ns) or later. Adds none if `from` is `never`. Call it when a capture begins or ends, because a
  // process is slower during and after a capture than before it.
  static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();
  void time_from(std::uint64_t from) noexcept;

  struct Iteration {
    std::int64_t number = 0;  // number of ranges of the name that had begun when this one closed
    std::int64_t ns = 0;
  };
  // The last `most_timed` iterations, oldest first.
  static constexpr std::size_t most_timed = 64;
  std::vector<Iteration> timed(const std::string& name) noexcept;

  std::int64_t begun(const std::string& name) noexcept;

  // Returns the name that most likely belongs to the outermost loop of the program; nothing if no
  // name has two ranges. Prefers names of the default domain, then names at the lowest depth, then
  // names with the most total time.
  std::optional<std::string> outermost_loop() noexcept;

  // A request to send one byte to a socket when one of these conditions is met. There is only one
  // alarm: set_alarm() replaces the previous one. If the condition `begin` or `close` is already
  // met, set_alarm() sends the byte at once.
  // - begin: `count` ranges of this name have begun
  // - close: `count` of these ranges have closed
  // - slow: one of these ranges closes and took more than `factor` times the median of timed();
  //   timed() must have at least `enough_timed` ranges
  struct Alarm {
    enum class When : std::uint8_t { begin, close, slow };
    When when = When::begin;
    std::string name;
    std::int64_t count = 0;
    double factor = 0;
    int socket = -1;
  };
  static constexpr std::size_t enough_timed = 16;
  void set_alarm(Alarm alarm) noexcept;
  void clear_alarm() noexcept;

 private:
  struct Loop {
    std::int64_t begun = 0;
    std::int64_t closed = 0;
    std::int64_t total_ns = 0;
    bool is_default_domain = false;
    std::size_t depth = 0;         // the lowest depth of its ranges
    std::size_t next = 0;          // where the next iteration goes in `timed`
    std::vector<Iteration> timed;  // a ring of at most most_timed
  };
  static bool is_slow(const Loop& loop, std::int64_t ns, double factor);
  bool is_due(const Loop& loop) const;
  void ring() noexcept;

  const callbacks::OwnProcess own_process_;
  std::mutex mutex_;  // guards the rest
  std::map<std::string, Loop> loops_;
  std::optional<Alarm> alarm_;
  std::uint64_t timed_from_ = 0;  // utc ns; timed() has no ranges that open earlier
};

}  // namespace lapscope::nvtx
