#include "collector/python_frames/line_table.h"

#include <limits>

namespace lapscope::python_frames {
namespace {

// Kinds of entries of a line table. The kind determines what follows the first byte of the entry.
constexpr unsigned one_line = 10;    // kinds 10 to 12: line increment 0 to 2; two columns follow
constexpr unsigned no_columns = 13;  // a signed number of lines follows
constexpr unsigned all = 14;         // a signed number of lines and three more numbers follow
constexpr unsigned no_location = 15;

// Reads an entry from its second byte on.
class Rest {
 public:
  Rest(std::span<const std::uint8_t> bytes, std::size_t at) : bytes_(bytes), at_(at) {}

  void skip(std::size_t count) { at_ += count; }

  // Reads a number. Each byte has six bits of the number, and the first byte has the least
  // significant bits. If bit 6 of a byte is set, another byte follows.
  std::uint32_t number() {
    std::uint32_t value = 0;
    for (unsigned shift = 0;; shift += 6) {
      if (at_ >= bytes_.size()) {
        at_ = bytes_.size() + 1;
        return 0;
      }
      const std::uint8_t byte = bytes_[at_++];
      if (shift < 32) value |= std::uint32_t{byte & 0x3fu} << shift;
      if (!(byte & 0x40)) return value;
    }
  }
  std::int32_t signed_number() {
    const std::uint32_t value = number();
    const auto size = static_cast<std::int32_t>(value >> 1);
    return value & 1 ? -size : size;
  }

  bool is_complete() const { return at_ <= bytes_.size(); }
  std::size_t at() const { return at_; }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t at_;
};

}  // namespace

std::size_t LineSearch::take(std::span<const std::uint8_t> bytes) {
  if (format_ == LineFormat::pairs) return take_pairs(bytes);
  std::size_t taken = 0;
  while (!is_found_ && taken < bytes.size()) {
    // First byte: 1 (bit 7), kind (4 bits), number of instructions minus one (3 bits).
    const std::uint8_t first = bytes[taken];
    const unsigned kind = first >> 3 & 0xf;
    Rest rest(bytes, taken + 1);
    std::int64_t further = 0;
    if (kind < one_line) {
      rest.skip(1);
    } else if (kind < no_columns) {
      further = kind - one_line;
      rest.skip(2);
    } else if (kind == no_columns) {
      further = rest.signed_number();
    } else if (kind == all) {
      further = rest.signed_number();
      for (int i = 0; i < 3; ++i) rest.number();
    }
    if (!rest.is_complete()) break;
    taken = rest.at();
    next_line_ += further;
    cover((first & 7u) + 1, kind != no_location);
  }
  return taken;
}

std::size_t LineSearch::take_pairs(std::span<const std::uint8_t> bytes) {
  constexpr std::int8_t no_line = -128;
  std::size_t taken = 0;
  for (; !is_found_ && taken + 2 <= bytes.size(); taken += 2) {
    const auto further = static_cast<std::int8_t>(bytes[taken + 1]);
    if (further != no_line) next_line_ += further;
    cover(bytes[taken] / 2u, further != no_line);
  }
  return taken;
}

// Assigns the next `instructions` instructions to `next_line_`, or to no line if `has_line` is
// false. If the instruction that is searched for is one of them, the search ends.
void LineSearch::cover(std::uint32_t instructions, bool has_line) {
  covered_ += instructions;
  if (instruction_ >= covered_) return;
  is_found_ = true;
  const bool is_a_line =
      has_line && next_line_ > 0 && next_line_ <= std::numeric_limits<std::int32_t>::max();
  line_ = is_a_line ? static_cast<std::uint32_t>(next_line_) : 0;
}

}  // namespace lapscope::python_frames
