#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "collector/process/lasting_array.h"

namespace lapscope::python_frames {

// One frame: texts are numbers in a TextTable; 0 is what is not known, of a line as well.
struct PythonFrame {
  std::uint32_t file = 0;
  std::uint32_t function = 0;
  std::uint32_t line = 0;
  bool operator==(const PythonFrame&) const = default;
};

// Texts, each once. Every thread may add and read at any time: none waits, nothing is allocated,
// and what is in it stays.
class TextTable {
 public:
  static constexpr std::uint32_t most_texts = 1u << 16;
  static constexpr std::uint32_t most_bytes = 8u << 20;

  TextTable();

  // 0 where the table is full, or the text is empty.
  std::uint32_t number_of(std::string_view text) noexcept;
  // Empty for 0.
  std::string_view text(std::uint32_t number) const noexcept;

 private:
  std::uint32_t append(std::string_view text) noexcept;

  // Where a text is in bytes_, by its hash.
  process::LastingArray<std::atomic<std::uint32_t>> slots_{most_texts};
  process::LastingArray<char> bytes_{most_bytes};  // a length and that many bytes, over and over
  std::atomic<std::uint32_t> used_;
};

// What has been found out before about an instruction of a code object, under a hash of both.
class FrameTable {
 public:
  static constexpr std::size_t most = std::size_t{1} << 16;

  std::optional<PythonFrame> find(std::uint64_t key) const noexcept;
  void add(std::uint64_t key, const PythonFrame& frame) noexcept;  // unless it is full

 private:
  struct Entry {
    std::atomic<std::uint64_t> key;  // written last; `being_written` before
    PythonFrame frame;
  };
  process::LastingArray<Entry> entries_{most};
};

inline std::uint64_t mix(std::uint64_t hash, std::uint64_t value) noexcept {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
  return hash ^ hash >> 32;
}
std::uint64_t mix(std::uint64_t hash, const void* bytes, std::size_t size) noexcept;

}  // namespace lapscope::python_frames
