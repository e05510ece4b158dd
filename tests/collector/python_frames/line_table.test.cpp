#include "collector/python_frames/line_table.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <vector>

#include "tests/catch.h"

namespace lapscope::python_frames {
namespace {

using Bytes = std::vector<std::uint8_t>;

// Returns the lines of the first `count` instructions. LineSearch gets the table in pieces of
// `piece` bytes.
std::vector<std::uint32_t> lines_of(const Bytes& table, std::int32_t first_line,
                                    std::uint32_t count, std::size_t piece = 1000) {
  std::vector<std::uint32_t> lines;
  for (std::uint32_t i = 0; i < count; ++i) {
    LineSearch search(first_line, i);
    for (std::size_t done = 0; done < table.size() && !search.is_found();) {
      const std::size_t size = std::min(piece, table.size() - done);
      const std::size_t taken = search.take(std::span(table).subspan(done, size));
      if (taken == 0) break;
      done += taken;
    }
    lines.push_back(search.is_found() ? search.line() : 9999);
  }
  return lines;
}

// Returns the first byte of an entry of the table.
constexpr std::uint8_t entry(unsigned kind, unsigned instructions) {
  return static_cast<std::uint8_t>(0x80 | kind << 3 | (instructions - 1));
}

using Lines = std::vector<std::uint32_t>;

TEST_CASE("each kind of entry has its line", "[python]") {
  // The entries change the line by 0, +2, +4 and -2. The lowest bit of a coded number is its sign:
  // 8 = 4 << 1 is +4, and 5 = 2 << 1 | 1 is -2.
  const Bytes table = {entry(0, 2), 0x12, entry(12, 1), 3, 9, entry(13, 3), 8, entry(14, 1), 5, 1,
                       2,           3};
  CHECK(lines_of(table, 10, 7) == Lines{10, 10, 12, 16, 16, 16, 14});
}

TEST_CASE("an instruction without a line has none, and the next one goes on from before",
          "[python]") {
  CHECK(lines_of({entry(15, 2), entry(11, 1), 0, 0}, 7, 3) == Lines{0, 0, 8});
}

TEST_CASE("numbers of several bytes", "[python]") {
  // +200 lines are coded as 200 << 1 = 6 * 64 + 16: a byte has 6 bits of the number.
  CHECK(lines_of({entry(13, 1), 0x40 | 16, 6}, 1, 1) == Lines{201});
  // +100,000 lines are coded as 100,000 << 1 = 48 * 64^2 + 53 * 64.
  CHECK(lines_of({entry(13, 1), 0x40, 0x40 | 53, 48}, 1, 1) == Lines{100001});
}

TEST_CASE("a table that comes in pieces", "[python]") {
  Bytes table;
  for (int i = 0; i < 50; ++i) {
    for (const std::uint8_t byte :
         {entry(14, 1), std::uint8_t{2}, std::uint8_t{0x41}, std::uint8_t{0x41}, std::uint8_t{1},
          std::uint8_t{1}, std::uint8_t{1}}) {
      table.push_back(byte);
    }
  }
  const Lines whole = lines_of(table, 0, 50);
  CHECK(whole.front() == 1);
  CHECK(whole.back() == 50);
  CHECK(lines_of(table, 0, 50, 8) == whole);
  CHECK(lines_of(table, 0, 50, 11) == whole);
}

TEST_CASE("a table that ends too early gives no line", "[python]") {
  CHECK(lines_of({}, 1, 1) == Lines{9999});
  CHECK(lines_of({entry(0, 1), 0}, 1, 2) == Lines{1, 9999});
  CHECK(lines_of({entry(0, 1)}, 1, 1) == Lines{9999});
  CHECK(lines_of({entry(13, 1), 0x40, 0x40, 0x40}, 1, 1) == Lines{9999});
  CHECK(lines_of({entry(13, 1), 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x3f}, 1, 1) == Lines{0});
}

std::uint32_t line_of_pairs(const std::vector<std::uint8_t>& table, std::uint32_t instruction) {
  LineSearch search(10, instruction, LineFormat::pairs);
  search.take(table);
  return search.line();
}

// An instruction has 2 bytes. The pairs of the table:
//
//   4, 0      4 bytes: two instructions of line 10
//   2, 3      2 bytes: one instruction of line 13, which is 3 lines further on
//   0, 2      no bytes, 2 lines further on
//   2, 0x80   2 bytes: one instruction without a line
//   6, 0xfd   6 bytes: three instructions of line 12, which is 3 lines back
TEST_CASE("a table of Python 3.10 has pairs of a length and a difference of lines", "[python]") {
  const std::vector<std::uint8_t> table = {4, 0, 2, 3, 0, 2, 2, 0x80, 6, 0xfd};
  const std::uint32_t lines[] = {10, 10, 13, 0, 12, 12, 12, 0};
  for (std::uint32_t i = 0; i < std::size(lines); ++i) {
    CAPTURE(i);
    CHECK(line_of_pairs(table, i) == lines[i]);
  }
  // The piece ends inside a pair, so the next piece must begin with this pair.
  LineSearch search(10, 2, LineFormat::pairs);
  CHECK(search.take(std::span(table).first(3)) == 2);
  CHECK_FALSE(search.is_found());
  CHECK(search.take(std::span(table).subspan(2)) == 2);
  CHECK(search.line() == 13);
}

}  // namespace
}  // namespace lapscope::python_frames
