#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "collector/callbacks/own_process.h"

namespace lapscope::nvtx {

// Counts how many NVTX ranges of each name have begun. The ranges of one name are the iterations of
// a loop, numbered from 1. An armed process counts them in order to begin and end captures.
//
// Thread-safe. The member functions throw nothing. In a child made by fork(), they do nothing.
class IterationCounts {
 public:
  // Counts the begin of a range. `depth` is the number of ranges that are open in the same thread
  // and domain.
  void count(const std::string& name, bool is_default_domain, std::size_t depth) noexcept;

  // The number of ranges that have begun.
  std::int64_t begun(const std::string& name) noexcept;

  // Returns the name that most likely belongs to the outermost loop of the program: among the names
  // that have begun twice or more, one of the default domain before others, then the one at the
  // lowest depth, then the most frequent one. Nothing if no name has begun twice.
  std::optional<std::string> outermost_loop() noexcept;

  // Makes the eventfd `event` readable as soon as `count` ranges of this name have begun, which may
  // be at once. There is one alarm: each call replaces the alarm before.
  void set_alarm(const std::string& name, std::int64_t count, int event) noexcept;
  void clear_alarm() noexcept;

 private:
  struct Loop {
    std::int64_t begun = 0;
    bool is_default_domain = false;
    std::size_t depth = 0;  // the lowest
  };
  struct Alarm {
    std::string name;
    std::int64_t count = 0;
    int event = -1;
  };
  void ring(const Alarm& alarm) noexcept;

  const callbacks::OwnProcess own_process_;
  std::mutex mutex_;  // guards the rest
  std::map<std::string, Loop> loops_;
  std::optional<Alarm> alarm_;
};

}  // namespace lapscope::nvtx
