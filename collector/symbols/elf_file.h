#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lapscope::symbols {

// Reads the build id and the addresses of the code from a 64-bit ELF file. Uses no library for
// this.
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

}  // namespace lapscope::symbols
