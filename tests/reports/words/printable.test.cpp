#include "reports/words/printable.h"

#include "tests/catch.h"

namespace lapscope::reports {
namespace {

TEST_CASE("control characters of a name do not reach the terminal") {
  REQUIRE(printable("a\x1b[31mb\nc\x7f") == "a?[31mb?c?");
  REQUIRE(printable("\xc2\x9b"
                    "31m") == "?31m");  // CSI in one code point
  REQUIRE(printable("∩ Größe 😀") == "∩ Größe 😀");
}

TEST_CASE("what is not UTF-8 becomes a question mark for each byte") {
  REQUIRE(printable("\xff\xfe") == "??");
  REQUIRE(printable("\xc3(") == "?(");
  REQUIRE(printable("\xe2\x88") == "??");            // cut short
  REQUIRE(printable("\xc0\xaf") == "??");            // overlong /
  REQUIRE(printable("\xe0\x80\xaf") == "???");       // overlong /
  REQUIRE(printable("\xed\xa0\x80") == "???");       // a surrogate
  REQUIRE(printable("\xf4\x90\x80\x80") == "????");  // beyond U+10FFFF
}

TEST_CASE("marks of direction cannot turn what follows") {
  REQUIRE(printable("a\u202eb\u2066c\u200fd\u2028e\ufefff") == "a?b?c?d?e?f");
}

TEST_CASE("a long name is cut by columns, and shows that it was") {
  REQUIRE(shortened("\u6838\u6838", 4) == "\u6838\u6838");
  REQUIRE(shortened("\u6838\u6838\u6838", 4) == "\u6838…");
  REQUIRE(shortened("e\u0301e\u0301", 2) == "e\u0301e\u0301");
  REQUIRE(shortened("Größe", 5) == "Größe");
  REQUIRE(shortened("Größe", 4) == "Grö…");
  REQUIRE(shortened("Größe", 1) == "…");
  REQUIRE(shortened("Größe", 0).empty());
  REQUIRE(shortened(std::string(10'000, 'x'), 3) == "xx…");
  REQUIRE(shortened("\xff\xff\xff", 2) == "?…");
}

}  // namespace
}  // namespace lapscope::reports
