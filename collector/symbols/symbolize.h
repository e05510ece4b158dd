#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

// Finds names and lines for the addresses of call stacks. The program has already ended, so the
// search costs it no time.
namespace lapscope::symbols {

struct Options {
  // Paths below this folder are stored relative to the folder. Relative paths of modules are looked
  // up in this folder.
  std::filesystem::path working_directory;
  // Files with symbols for stripped modules. A file must have the same build id as its module.
  std::vector<std::filesystem::path> symbol_files;
  // If true, asks the servers in DEBUGINFOD_URLS for missing debug files.
  bool uses_debuginfod = false;
};

// Counts of the different return addresses, and of the files that contain these addresses.
struct Result {
  std::int64_t addresses = 0;
  std::int64_t named = 0;
  std::int64_t with_lines = 0;
  std::int64_t files = 0;
  std::int64_t missing_files = 0;    // no longer there, or no ELF file
  std::int64_t changed_files = 0;    // rebuilt since the run
  std::int64_t unchecked_files = 0;  // without a build id
  // A sentence: why nothing was resolved. Empty on success.
  std::string problem;
};

// Finds the names and lines of the addresses in a trace, and stores them in one transaction. If no
// name is found for an address, the address is named by its file and offset. A trace without call
// stacks is not changed, and the result has 0 addresses.
Result symbolize(const std::filesystem::path& trace, const Options& options);

// Like symbolize(), but in a child process. If libdw crashes or takes longer than `limit`,
// `problem` is set in the result.
Result symbolize_apart(const std::filesystem::path& trace, const Options& options,
                       std::chrono::seconds limit);

}  // namespace lapscope::symbols
