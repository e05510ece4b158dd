#include "reports/text/layout.h"

#include <sstream>
#include <vector>

#include "tests/catch.h"

namespace lapscope::reports {
namespace {

using Times = std::vector<std::int64_t>;

TEST_CASE("columns are aligned by what is seen, not by bytes or colours") {
  Table table({Table::Align::left, Table::Align::right, Table::Align::left});
  table.add({"∩∩", "\x1b[1m1\x1b[0m", "x"});
  table.add({"abcd", "100", ""});
  std::ostringstream out;
  table.print(out, 2);
  REQUIRE(out.str() ==
          "  ∩∩      \x1b[1m1\x1b[0m  x\n"
          "  abcd  100\n");
}

TEST_CASE("wide characters take two columns, marks that combine none") {
  CHECK(display_width("ab") == 2);
  CHECK(display_width("\u6838") == 2);        // 核
  CHECK(display_width("\uD55C\uAE00") == 4);  // 한글
  CHECK(display_width("\uFF21") == 2);        // a full-width A
  CHECK(display_width("\U0001F680") == 2);    // a rocket
  CHECK(display_width("e\u0301") == 1);       // e with an acute accent
  CHECK(display_width("\xff") == 1);          // invalid UTF-8
  CHECK(display_width("\x1b[1") == 0);        // an incomplete escape
  Table table({Table::Align::left, Table::Align::left});
  table.add({"\u6838e\u0301", "x"});
  table.add({"abcd", "y"});
  std::ostringstream out;
  table.print(out, 0);
  CHECK(out.str() == "\u6838e\u0301   x\nabcd  y\n");
  CHECK(wrapped("\u6838\u6838 \u6838", 6, 0) == "\u6838\u6838\n\u6838");
}

TEST_CASE("words are wrapped at the width, and a long one stands alone") {
  REQUIRE(wrapped("aa bb cc", 5, 0) == "aa bb\ncc");
  REQUIRE(wrapped("aa bb cc", 6, 2) == "aa\n  bb\n  cc");
  REQUIRE(wrapped("a bbbbbbbb c", 4, 0) == "a\nbbbbbbbb\nc");
  REQUIRE(wrapped("", 4, 0).empty());
}

// An interval takes 8 ns, and a strip has eight heights.
TEST_CASE("a strip's height is the share of the time, and never 0 for a share above 0") {
  const Times lengths(4, 8);
  REQUIRE(strip_of(Times{0, 8, 4, 1}, lengths, 4, {}) == " █▄▁");
  REQUIRE(strip_of(Times{0, 8, 4, 1}, lengths, 4, {.unicode = false}) == " #:.");
  REQUIRE(strip_of(Times{8, 0, 4, 4}, lengths, 2, {}) == "▄▄");
  REQUIRE(strip_of(Times{8000, 0, 1, 0}, Times(4, 8000), 2, {}) == "▄▁");
}

TEST_CASE("a strip with more columns than stretches shows each for as long as it lasts") {
  REQUIRE(strip_of(Times{8, 4}, Times{8, 8}, 4, {}) == "██▄▄");
}

TEST_CASE("a text in ASCII spells the signs of formulas") {
  REQUIRE(in_ascii("|copies ∩ compute| … é") == "|copies and compute| ~ ?");
}

}  // namespace
}  // namespace lapscope::reports
