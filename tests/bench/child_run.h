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

// Runs a program and waits for it. Discards its standard output, but shows its standard error.
// Throws std::runtime_error if the program cannot be started or its exit status is not 0.
//
// peak_rss is at least own_peak_rss(), because Linux also counts memory of the starting process.
Run run_child(const std::vector<std::string>& command);

// Runs `lapscope` in the same way. An inconclusive result is accepted. Returns nothing if lapscope
// refuses its input.
std::optional<Run> run_unless_refused(const std::vector<std::string>& command);

// Returns the peak memory of this process until now, in bytes.
std::int64_t own_peak_rss();

}  // namespace lapscope::bench
