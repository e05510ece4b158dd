#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lapscope::bench {

// What a program needed, its start and end included.
struct Run {
  double wall_s = 0;
  double cpu_s = 0;           // user and system time of all its threads
  std::int64_t peak_rss = 0;  // bytes
};

// Runs a program with its standard output thrown away and waits for it. Throws std::runtime_error
// when it cannot be started or does not exit with 0; what it says on standard error is shown.
//
// Linux counts the memory of the process that starts a program as the program's own until it has
// more itself: peak_rss is never less than own_peak_rss().
Run run_child(const std::vector<std::string>& command);

// The same of `lapscope`, with a result that may be inconclusive; nothing when it refuses its
// input.
std::optional<Run> run_unless_refused(const std::vector<std::string>& command);

// The peak of this process until now, in bytes.
std::int64_t own_peak_rss();

}  // namespace lapscope::bench
