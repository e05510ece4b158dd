#include "reports/words/format.h"
#include "tests/catch.h"

namespace lapscope::reports {
namespace {

TEST_CASE("durations take the unit that keeps them readable") {
  REQUIRE(format_ns(0) == "0 ns");
  REQUIRE(format_ns(999) == "999 ns");
  REQUIRE(format_ns(1'000) == "1.00 us");
  REQUIRE(format_ns(8'652'123) == "8.65 ms");
  REQUIRE(format_ns(-1'500'000'000) == "-1.50 s");
}

TEST_CASE("a duration just below a unit does not round up into four digits before the point") {
  REQUIRE(format_ns(999'994) == "999.99 us");
  REQUIRE(format_ns(999'999) == "1.00 ms");
  REQUIRE(format_ns(999'994'999) == "999.99 ms");
  REQUIRE(format_ns(999'999'999) == "1.00 s");
}

TEST_CASE("one thing has no plural") {
  CHECK(counted(1, "op") == "1 op");
  CHECK(counted(0, "op") == "0 ops");
}

TEST_CASE("sizes take the unit that keeps them readable") {
  CHECK(format_size(17) == "17 B");
  CHECK(format_size(1024) == "1 KiB");
  CHECK(format_size(33'562'624) == "32 MiB");
  CHECK(format_size(1'600) == "1.6 KiB");
}

TEST_CASE("values show their unit, or that there is none") {
  REQUIRE(format_value(analyzer::Ratio{2, 3}) == "0.667");
  REQUIRE(format_value(analyzer::Ratio{-1, 8}) == "-0.125");
  REQUIRE(format_value(analyzer::Nanoseconds{1'500}) == "1.50 us");
  REQUIRE(format_value(analyzer::Undefined{"no copies"}) == "n/a");
}

TEST_CASE("a ratio that rounds to nothing has no sign") {
  REQUIRE(format_value(analyzer::Ratio{-1, 10'000}) == "0.000");
}

TEST_CASE("a share that rounds to nothing has no sign") {
  REQUIRE(format_share(-1, 10'000) == "0.0 %");
  REQUIRE(format_change(-0.0001) == "0.0 %");
  REQUIRE(format_change(-0.01) == "-1.0 %");
  REQUIRE(format_change(0.01) == "+1.0 %");
}

TEST_CASE("a small share does not look like none, and not quite all does not look like all") {
  CHECK(format_percent(0) == "0.0 %");
  CHECK(format_percent(0.0004) == "<0.1 %");
  CHECK(format_percent(0.0006) == "0.1 %");
  CHECK(format_percent(0.004, 0) == "<1 %");
  CHECK(format_percent(0.9994) == "99.9 %");
  CHECK(format_percent(0.9996) == ">99.9 %");
  CHECK(format_percent(0.996, 0) == ">99 %");
  CHECK(format_percent(1) == "100.0 %");
  CHECK(rough(0.0001) == "<0.1 %");
  CHECK(rough(0.9999) == ">99.9 %");
  CHECK(rough(1) == "100 %");
  CHECK(format_shares(1, 500, 10'000) == "<0.1 to 5.0 %");
  CHECK(format_change(0.0001) == "0.0 %");
  CHECK(format_rate(1'000'000) == "<0.1 GB/s");
  CHECK(format_rate(0) == "0.0 GB/s");
}

TEST_CASE("a word of a command is quoted where a shell needs it") {
  REQUIRE(shell_word("t.sqlite") == "t.sqlite");
  REQUIRE(shell_word("it's") == "'it'\\''s'");
  REQUIRE(shell_word("") == "''");
}

TEST_CASE("shares of nothing are left out") {
  REQUIRE(format_share(1, 8) == "12.5 %");
  REQUIRE(format_share(1, 0).empty());
}

TEST_CASE("control characters of a name do not reach the terminal") {
  REQUIRE(printable("a\x1b[31mb\nc\x7f") == "a?[31mb?c?");
  REQUIRE(printable("\xc2\x9b"
                    "31m") == "?31m");  // CSI as one code point
  REQUIRE(printable("∩ Größe 😀") == "∩ Größe 😀");
}

TEST_CASE("what is not UTF-8 becomes a question mark for each byte") {
  REQUIRE(printable("\xff\xfe") == "??");
  REQUIRE(printable("\xc3(") == "?(");
  REQUIRE(printable("\xe2\x88") == "??");            // incomplete
  REQUIRE(printable("\xc0\xaf") == "??");            // an overlong encoding of /
  REQUIRE(printable("\xe0\x80\xaf") == "???");       // an overlong encoding of /
  REQUIRE(printable("\xed\xa0\x80") == "???");       // a surrogate
  REQUIRE(printable("\xf4\x90\x80\x80") == "????");  // beyond U+10FFFF
}

TEST_CASE("marks of direction cannot turn what follows") {
  REQUIRE(printable("a\u202eb\u2066c\u200fd\u2028e\ufefff") == "a?b?c?d?e?f");
}

TEST_CASE("no name begins what a CI system obeys") {
  CHECK(printable("::error::x ::add-mask::y\u00a0::z") == "?:error::x ?:add-mask::y\u00a0?:z");
  CHECK(printable("x##[group] ##vso[y] ###teamcity[z") == "x?#[group] ?#vso[y] #?#teamcity[z");
  CHECK(printable("at::native::add (a)::b # ## [1]") == "at::native::add (a)::b # ## [1]");
  // A second call of printable() changes nothing.
  CHECK(printable(printable("::::a")) == "?:::a");
  CHECK(printable("a\U000E0041\u061cb") == "a??b");
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
  CHECK(cut_inside("Größe", 5) == "Größe");
  CHECK(cut_inside("0123456789", 9) == "01234…789");
  CHECK(cut_inside(std::string(10'000, 'x') + "end", 9) == "xxxxx…end");
  CHECK(cut_inside("\u6838\u6838\u6838\u6838", 6) == "\u6838…\u6838");
  CHECK(cut_inside("Größe", 1) == "…");
}

}  // namespace

}  // namespace lapscope::reports
