#pragma once

#include <cstddef>
#include <cstdint>
#include <fstream>

namespace lapscope::symbols {

// Reads objects as they lie in a file; false when the file is shorter.
template <class T>
bool read_at(std::ifstream& file, std::uint64_t offset, T* into, std::size_t count = 1) {
  file.clear();
  file.seekg(static_cast<std::streamoff>(offset));
  file.read(reinterpret_cast<char*>(into), static_cast<std::streamsize>(count * sizeof(T)));
  return file.good();
}

}  // namespace lapscope::symbols
