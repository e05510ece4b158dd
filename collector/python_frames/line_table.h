#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace lapscope::python_frames {

// The format of a line table.
// - locations: 3.11 and later (Objects/locations.md of CPython)
// - pairs: 3.10. Each pair has a length and a line increment, one byte each
//   (Objects/lnotab_notes.txt)
enum class LineFormat : std::uint8_t { locations, pairs };

// Finds the line of one instruction in the line table of a code object (co_linetable). The table
// can be passed piece by piece.
class LineSearch {
 public:
  // `instruction` is the index in the code object, from 0.
  LineSearch(std::int32_t first_line, std::uint32_t instruction,
             LineFormat format = LineFormat::locations)
      : next_line_(first_line), instruction_(instruction), format_(format) {}

  // Reads the entries of a piece until the instruction is found. Returns the size of these entries
  // in bytes. If the last entry of the piece is incomplete, the next piece must begin with this
  // entry.
  std::size_t take(std::span<const std::uint8_t> bytes);

  bool is_found() const { return is_found_; }
  // Returns the line; 0 if the table has no line for the instruction.
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
