#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace lapscope::symbols {

// The functions that the linker's tables name (.symtab, and .dynsym of what is exported), read
// without any library.
class ElfSymbols {
 public:
  // No symbols if the file is no 64-bit ELF file, or is damaged. Takes a few times the memory that
  // the tables have in the file, whatever they contain.
  explicit ElfSymbols(const std::filesystem::path& path);

  // The symbol of the function at an address that the linker gave; empty when none is known.
  std::string at(std::uint64_t address) const;
  // Whether the file has lines in DWARF, which are not read here.
  bool has_lines() const { return has_lines_; }

 private:
  struct Function {
    std::uint64_t begin = 0;
    std::uint64_t size = 0;
    std::size_t symbol = 0;  // where it begins in texts_
  };
  void read(const std::filesystem::path& path);

  std::vector<Function> functions_;  // by begin
  std::string texts_;                // of the tables, with a zero behind each
  bool has_lines_ = false;
};

}  // namespace lapscope::symbols
