#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace lapscope::symbols {

// A file that the user gave as a source of symbols, but that fits no module of the trace.
struct UselessFile {
  std::filesystem::path path;
  bool is_elf = false;          // exists and is an ELF file
  std::string build_id;         // empty where it has none
  std::string module;           // name of the module that it was probably meant for
  std::string module_build_id;  // of that module; empty if it has none
};

// Returns the files whose build id matches no module of the trace. Returns no files for a trace
// without call stacks.
std::vector<UselessFile> useless_files(const std::filesystem::path& trace,
                                       const std::vector<std::filesystem::path>& files);

}  // namespace lapscope::symbols
