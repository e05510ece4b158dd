#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace lapscope::launch {

struct CollectorLibrary {
  std::filesystem::path path;
  std::string problem;  // a sentence when path is empty
};

// The library to inject: $LAPSCOPE_COLLECTOR, or the one that was built or installed with this
// command, found relative to the command's own file.
CollectorLibrary find_collector();

// The library that times NVTX ranges of bare runs, beside the collector.
CollectorLibrary find_range_timer();

// The program that a calibration runs, likewise.
CollectorLibrary find_call_costs();

inline constexpr int not_executable = 126;  // exit statuses as a shell gives them
inline constexpr int not_found = 127;

// Where a program is: `name` itself when it has a slash, else the first match on PATH. On failure
// the path is empty and the rest says why.
struct ResolvedProgram {
  std::filesystem::path path;
  int exit_status = 0;
  std::string problem;  // a sentence
};
ResolvedProgram resolve_program(const std::string& name);

using Variables = std::vector<std::pair<std::string, std::string>>;

struct Ended {
  int exit_status = 0;  // 128 + n when signal n ended it; 126 or 127 when it could not be started
  std::int64_t elapsed_ns = 0;
  std::string problem;  // a sentence when it could not be started
};

// Runs a program to its end with `added` in its environment. It has this process' standard streams
// and signal mask; signals sent to this process are passed on, except those that a terminal sends
// to both. `arguments[0]` is the name that the program sees. One call at a time: it uses SIGCHLD.
Ended run_program(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                  const Variables& added);

}  // namespace lapscope::launch
