#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "collector/process/lasting_array.h"

namespace lapscope::python_frames {

// `file` and `function` are numbers of texts in a TextTable. In all three fields, 0 means unknown.
struct PythonFrame {
  std::uint32_t file = 0;
  std::uint32_t function = 0;
  std::uint32_t line = 0;
  bool operator==(const PythonFrame&) const = default;
};

// Stores each different text once. Any thread may add and read texts at any time. No thread waits,
// nothing is allocated, and texts are never removed.
class TextTable {
 public:
  static constexpr std::uint32_t most_texts = 1u << 16;
  static constexpr std::uint32_t most_bytes = 8u << 20;

  TextTable();

  // Adds the text if it is new. Returns its number; 0 if the table is full or the text is empty.
  std::uint32_t number_of(std::string_view text) noexcept;
  // Returns the text with this number; empty for 0.
  std::string_view text(std::uint32_t number) const noexcept;

 private:
  std::uint32_t append(std::string_view text) noexcept;

  // A hash table of the texts. Each element is the offset of a text in bytes_, or 0.
  process::LastingArray<std::atomic<std::uint32_t>> slots_{most_texts};
  process::LastingArray<char> bytes_{most_bytes};  // of each text, its length and then its bytes
  std::atomic<std::uint32_t> used_;
};

// Caches frames. The key of a frame is a hash of its code object and instruction.
class FrameTable {
 public:
  static constexpr std::size_t most = std::size_t{1} << 16;

  std::optional<PythonFrame> find(std::uint64_t key) const noexcept;
  // Adds a frame. Does nothing if the table is full.
  void add(std::uint64_t key, const PythonFrame& frame) noexcept;

 private:
  struct Entry {
    std::atomic<std::uint64_t> key;  // `being_written` until `frame` is written
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
