#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lapscope::bench {

// Resources that a program used from start to end.
struct Run {
  double wall_s = 0;
  double cpu_s = 0;           // user and system time of all threads
  std::int64_t peak_rss = 0;  // bytes
};

// Runs a program without its standard output and waits for it. Standard error is shown. Throws
// std::runtime_error if the program cannot be started or does not exit with 0.
//
// At first, Linux attributes the memory of the starting process to the program. peak_rss is
// therefore never less than own_peak_rss().
Run run_child(const std::vector<std::string>& command);

// Runs `lapscope` in the same way. An inconclusive result is allowed. Returns nothing if lapscope
// refuses its input.
std::optional<Run> run_unless_refused(const std::vector<std::string>& command);

// Returns the peak memory of this process until now, in bytes.
std::int64_t own_peak_rss();

}  // namespace lapscope::bench
