#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lapscope::symbols {

// What is asked of a 64-bit ELF file without any library: which build it is, and where its code has
// its addresses.
class ElfFile {
 public:
  // Nothing if the file is not there, or is no ELF file.
  static std::optional<ElfFile> open(const std::filesystem::path& path);

  // The linker's id in hexadecimal digits; empty if there is none.
  const std::string& build_id() const { return build_id_; }
  // The address that the linker gave to a byte of the file that is executed; nothing for one that
  // is not.
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

}  // namespace lapscope::symbols
