#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace lapscope::python_frames {

// How a table is written: that of 3.11 and later, which CPython describes in Objects/locations.md,
// or that of 3.10, pairs of bytes: a length and a number of lines further on
// (Objects/lnotab_notes.txt).
enum class LineFormat : std::uint8_t { locations, pairs };

// The line of one instruction, from the table of a code object (co_linetable).
// The table can be handed in piece by
// piece.
class LineSearch {
 public:
  // `instruction` counts from the first one of the code object.
  LineSearch(std::int32_t first_line, std::uint32_t instruction,
             LineFormat format = LineFormat::locations)
      : next_line_(first_line), instruction_(instruction), format_(format) {}

  // Takes whole entries and returns how many bytes these are. An entry that the bytes do not hold
  // to its end is left for the next piece.
  std::size_t take(std::span<const std::uint8_t> bytes);

  bool is_found() const { return is_found_; }
  // 0 where the table gives none.
  std::uint32_t line() const { return line_; }

 private:
  std::size_t take_pairs(std::span<const std::uint8_t> bytes);
  void cover(std::uint32_t instructions, bool has_line);

  std::int64_t next_line_;
  std::uint32_t instruction_;
  LineFormat format_;
  std::uint32_t covered_ = 0;  // instructions of the entries so far
  std::uint32_t line_ = 0;
  bool is_found_ = false;
};

}  // namespace lapscope::python_frames
