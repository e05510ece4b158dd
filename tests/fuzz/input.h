#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

#include "tests/fuzz/targets.h"

namespace lapscope::fuzz {

// Takes values from an input, byte by byte. After the last byte, all values are zero.
class Input {
 public:
  explicit Input(Bytes bytes) : bytes_(bytes) {}

  bool empty() const { return bytes_.empty(); }

  template <class T>
  T take() {
    T value{};
    const std::size_t size = std::min(sizeof value, bytes_.size());
    std::memcpy(&value, bytes_.data(), size);
    bytes_ = bytes_.subspan(size);
    return value;
  }

  void fill(void* to, std::size_t size) {
    const std::size_t there = std::min(size, bytes_.size());
    if (there > 0) std::memcpy(to, bytes_.data(), there);
    bytes_ = bytes_.subspan(there);
  }

 private:
  Bytes bytes_;
};

inline std::string text_of(Bytes bytes) { return {bytes.begin(), bytes.end()}; }

// Writes the bytes into a file and returns its path. Each call overwrites the file of the previous
// call. The file is in memory (/dev/shm) if possible.
std::string file_of(Bytes bytes);

}  // namespace lapscope::fuzz
