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

// Finds the library to inject: $LAPSCOPE_COLLECTOR, or the library that was built or installed with
// this command. Looks for the built or installed library relative to the command's own file.
CollectorLibrary find_collector();

// Finds the library that measures the NVTX ranges of bare runs. It is beside the collector.
CollectorLibrary find_range_timer();

// Finds the program that a calibration runs. It is beside the collector.
CollectorLibrary find_call_costs();

inline constexpr int not_executable = 126;  // exit statuses as a shell gives them
inline constexpr int not_found = 127;

// The path of a program: its name if the name has a slash, else the first match on PATH. On failure
// the path is empty, and the other members have the reason.
struct ResolvedProgram {
  std::filesystem::path path;
  int exit_status = 0;
  std::string problem;  // a sentence on failure
};
ResolvedProgram resolve_program(const std::string& name);

using Variables = std::vector<std::pair<std::string, std::string>>;

struct Ended {
  int exit_status = 0;  // 128 + n when signal n ended it; 126 or 127 when it could not be started
  std::int64_t elapsed_ns = 0;
  bool asked_to_end = false;  // it got SIGINT, SIGTERM, SIGHUP or SIGQUIT, such as by Ctrl-C
  std::string problem;        // a sentence when it could not be started
};

// Runs a program to its end with `added` in its environment. `arguments[0]` is the name that the
// program sees. The program has the standard streams and the signal mask of this process. Passes on
// signals that only this process gets, except signals that stop a process or report its own error
// (SIGSEGV). Only one call at a time may run, because each uses SIGCHLD.
Ended run_program(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                  const Variables& added);

}  // namespace lapscope::launch
