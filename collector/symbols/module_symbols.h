#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace lapscope::symbols {

// A function that an address is in. The names are those of the source; paths as the compiler wrote
// them, made absolute.
struct SourceFrame {
  std::string function;     // demangled; empty when not known
  std::string file;         // empty when not known
  std::int64_t line = 0;    // 0 when not known
  bool is_inlined = false;  // into the frame after it
};

// What a file and its debug files contain about its code. Lines and inlined functions are read by
// libdw of elfutils (module_symbols.cpp); a build without that (module_names.cpp) has the linker's
// symbols.
class ModuleSymbols {
 public:
  // Whether this build reads lines.
  static const bool reads_lines;

  explicit ModuleSymbols(const std::filesystem::path& path);
  ~ModuleSymbols();
  ModuleSymbols(const ModuleSymbols&) = delete;
  ModuleSymbols& operator=(const ModuleSymbols&) = delete;

  // The function at an address that the linker assigned (ElfFile::address_of), behind those that
  // are inlined into it there, innermost first. Empty if nothing is known. For a return address,
  // pass the byte before: the call may be the last of its function.
  std::vector<SourceFrame> at(std::uint64_t address) const;
  // Whether the file has lines that this build does not read.
  bool has_unread_lines() const;

 private:
  struct File;
  std::unique_ptr<File> file_;
};

}  // namespace lapscope::symbols
