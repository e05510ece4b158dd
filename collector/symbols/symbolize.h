#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

// Names and lines for the addresses of call stacks, after the run: the program pays nothing for it.
namespace lapscope::symbols {

struct Options {
  // Paths below it are stored relative to it, and relative ones are looked for in it.
  std::filesystem::path working_directory;
  // Files with symbols, for modules of the same build id that were stripped.
  std::vector<std::filesystem::path> symbol_files;
  // Ask the servers in DEBUGINFOD_URLS for debug files that are not there.
  bool uses_debuginfod = false;
};

// The counts are of different return addresses, and of the files that they are in.
struct Result {
  std::int64_t addresses = 0;
  std::int64_t named = 0;
  std::int64_t with_lines = 0;
  std::int64_t files = 0;
  std::int64_t missing_files = 0;    // not there any more, or no file
  std::int64_t changed_files = 0;    // built anew since the run
  std::int64_t unchecked_files = 0;  // without a build id
  // Why nothing was done, as a sentence; empty when something was.
  std::string problem;
};

// Resolves what it can, in one transaction, and leaves the rest as it is. An address without a name
// is given as its file and offset. For a trace without call stacks there is nothing to do: 0
// addresses.
Result symbolize(const std::filesystem::path& trace, const Options& options);

// The same in a process of its own: a debug file that makes libdw crash or take longer than `limit`
// is a problem in the result.
Result symbolize_apart(const std::filesystem::path& trace, const Options& options,
                       std::chrono::seconds limit);

}  // namespace lapscope::symbols
