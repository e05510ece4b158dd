#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace lapscope::symbols {

// A file that was given for its symbols, and has none for a trace.
struct UselessFile {
  std::filesystem::path path;
  bool is_elf = false;          // and there
  std::string build_id;         // empty where it has none
  std::string module;           // what of the trace it was meant for, as far as names show
  std::string module_build_id;  // empty where it had none
};

// The files that no code of the trace was mapped from, by build id. Empty for a trace without call
// stacks.
std::vector<UselessFile> useless_files(const std::filesystem::path& trace,
                                       const std::vector<std::filesystem::path>& files);

}  // namespace lapscope::symbols
