#pragma once

#include <elf.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>

namespace lapscope::symbols {

// Reads `count` objects at `offset` of a file. Returns false if the file is too short.
template <class T>
bool read_at(std::ifstream& file, std::uint64_t offset, T* into, std::size_t count = 1) {
  file.clear();
  file.seekg(static_cast<std::streamoff>(offset));
  file.read(reinterpret_cast<char*>(into), static_cast<std::streamsize>(count * sizeof(T)));
  return file.good();
}

// Returns whether this is the header of a 64-bit little-endian ELF file.
inline bool is_readable_elf(const Elf64_Ehdr& header) {
  return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
         header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_ident[EI_DATA] == ELFDATA2LSB;
}

}  // namespace lapscope::symbols
