#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lapscope::symbols {

// Reads the build id and the addresses of the code from a 64-bit ELF file, without a library.
class ElfFile {
 public:
  // Returns nothing if the file does not exist or is no 64-bit ELF file.
  static std::optional<ElfFile> open(const std::filesystem::path& path);

  // The build id in hexadecimal digits; empty if there is none.
  const std::string& build_id() const { return build_id_; }
  // Returns the address that the linker gave to the byte at `file_offset`. Returns nothing if the
  // byte is not in an executable segment.
  std::optional<std::uint64_t> address_of(std::uint64_t file_offset) const;

 private:
  struct Segment {
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
    std::uint64_t address = 0;
  };
  std::vector<Segment> executable_;
  std::string build_id_;
};

// The functions in the symbol tables of an ELF file. The tables are .symtab and, for exported
// functions, .dynsym. They are read without any library.
class ElfSymbols {
 public:
  // Reads the symbols. If the file is damaged or is no 64-bit ELF file, there are no symbols. The
  // memory needed for reading is at most a few times the size of the tables in the file.
  explicit ElfSymbols(const std::filesystem::path& path);

  // Returns the symbol of the function at `address`; an empty text if no function is known there.
  // `address` is a link-time address.
  std::string at(std::uint64_t address) const;
  // Returns whether the file has DWARF line tables. This class does not read line tables.
  bool has_lines() const { return has_lines_; }

 private:
  struct Function {
    std::uint64_t begin = 0;
    std::uint64_t size = 0;
    std::size_t symbol = 0;  // offset in texts_
  };
  void read(const std::filesystem::path& path);

  std::vector<Function> functions_;  // sorted by `begin`
  std::string texts_;                // the string tables, each with a zero behind it
  bool has_lines_ = false;
};

}  // namespace lapscope::symbols
