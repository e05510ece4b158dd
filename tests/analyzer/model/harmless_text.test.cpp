#include "analyzer/model/harmless_text.h"

#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

TEST_CASE("what is shown where it stands is harmless") {
  for (const std::uint32_t code : {0x20U, 0x7EU, 0xA0U, 0xE9U, 0x2026U, 0x6838U, 0x1F600U}) {
    INFO(code);
    CHECK(is_harmless(code));
  }
  for (const std::uint32_t code : {0x00U,   0x1BU,   0x7FU,   0x80U,    0x85U,    0x9BU,   0x9FU,
                                   0x061CU, 0x200BU, 0x200EU, 0x200FU,  0x2028U,  0x202AU, 0x202EU,
                                   0x2066U, 0x2069U, 0xFEFFU, 0xE0000U, 0xE0041U, 0xE007FU}) {
    INFO(code);
    CHECK_FALSE(is_harmless(code));
  }
}

TEST_CASE("a CI system obeys some words anywhere, and one at the begin of a line") {
  for (const char* text : {"##[group]x", "##[error]", "##vso[task.complete]", "##teamcity[x"}) {
    INFO(text);
    CHECK(begins_command(text, 'x'));
  }
  CHECK_FALSE(begins_command("## heading [x]", ' '));
  CHECK_FALSE(begins_command("##", 0));
  CHECK(begins_command("::error::x", 0));
  for (const std::uint32_t blank : {0x20U, 0xA0U, 0x1680U, 0x2003U, 0x202FU, 0x205FU, 0x3000U}) {
    CHECK(begins_command("::error::x", blank));
  }
  CHECK_FALSE(begins_command("::launch()", 'm'));
}

TEST_CASE("JSON has escapes for what is not harmless, and the same values") {
  CHECK(harmless_json(R"({"a": "at::native ##vso[b] #[ ## ##["})") ==
        R"({"a": "at::native \u0023#vso[b] #[ ## \u0023#["})");
  CHECK(harmless_json("[\n  \"\u009b\u202e\u061c\x7f\",\n  \"Größe … 😀\"\n]\n") ==
        "[\n  \"\\u009b\\u202e\\u061c\\u007f\",\n  \"Größe … 😀\"\n]\n");
  CHECK(harmless_json("\"\U000E0041\U000E007F\"") == "\"\\udb40\\udc41\\udb40\\udc7f\"");
}

TEST_CASE("of a long name its begin and its end are kept, and digits that tell it from others") {
  const std::string kernel = "void kernel<" + std::string(1000, 'x');
  CHECK(kept_name("k", 80) == "k");
  CHECK(kept_name(std::string(80, 'x'), 80) == std::string(80, 'x'));
  const std::string kept = kept_name(kernel + "int>()", 80);
  CHECK(kept.size() <= 80);
  CHECK(kept.starts_with("void kernel<xx"));
  CHECK(kept.ends_with("xint>()"));
  CHECK(kept != kept_name(kernel + "xint>()", 80));
  CHECK(kept_name(kept, 80) == kept);
}

TEST_CASE("how long a name is counts in JSON, and no code point is cut") {
  std::string controls;
  for (int i = 0; i < 100; ++i) controls += "\u009b";
  const std::string kept = kept_name(controls, 120);
  CHECK(harmless_json('"' + kept + '"').size() <= 122);
  CHECK(kept_name(std::string(21, '\x01'), 120).size() < 21 + 14);
  for (std::size_t most = 40; most < 80; ++most) {
    std::string wide;
    for (int i = 0; i < 60; ++i) wide += "\u6838\U0001F600";
    const std::string cut = kept_name(wide, most);
    for (std::string_view rest = cut; !rest.empty(); rest.remove_prefix(first_of(rest).bytes)) {
      REQUIRE(first_of(rest).bytes > 0);
    }
  }
}

TEST_CASE("what nobody sees is blank") {
  CHECK(is_blank(""));
  CHECK(is_blank(" \t\n\u00a0\u3000\u200b\U000E0041"));
  CHECK_FALSE(is_blank(" ."));
}

}  // namespace
}  // namespace lapscope::analyzer
