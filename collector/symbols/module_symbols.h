#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace lapscope::symbols {

// A function that contains an address. The name is the name in the source. The path is the path
// that the compiler recorded, made absolute.
struct SourceFrame {
  std::string function;     // demangled; empty when not known
  std::string file;         // empty when not known
  std::int64_t line = 0;    // 0 when not known
  bool is_inlined = false;  // into the frame after it
};

// Finds the functions and lines of the code in a file. Reads the file itself and its debug files. A
// build with libdw of elfutils (module_symbols.cpp) reads lines and inlined functions. A build
// without it (module_names.cpp) has only the linker's symbols.
class ModuleSymbols {
 public:
  // True if this build reads lines.
  static const bool reads_lines;

  explicit ModuleSymbols(const std::filesystem::path& path);
  ~ModuleSymbols();
  ModuleSymbols(const ModuleSymbols&) = delete;
  ModuleSymbols& operator=(const ModuleSymbols&) = delete;

  // Returns the functions at `address`, innermost first: the functions that are inlined there, then
  // the function that contains them. Returns nothing if no function is known. `address` is a
  // link-time address (ElfFile::address_of). For a return address, pass the address of the byte
  // before it, because the call may be the last instruction of its function.
  std::vector<SourceFrame> at(std::uint64_t address) const;
  // Returns whether the file has lines that this build does not read.
  bool has_unread_lines() const;

 private:
  struct File;
  std::unique_ptr<File> file_;
};

}  // namespace lapscope::symbols
