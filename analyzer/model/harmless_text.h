#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "analyzer/model/limits.h"

// Texts of a trace may come from anybody. They end on terminals, in logs that CI systems read for
// commands, and in pages.
namespace lapscope::analyzer {

struct CodePoint {
  std::uint32_t value = 0;
  std::size_t bytes = 0;  // 0: not UTF-8
};

// The code point that a text begins with, which must not be empty; overlong forms, surrogates and
// what lies beyond U+10FFFF are not UTF-8.
CodePoint first_of(std::string_view text);

// Whether a code point is shown where it stands, and does nothing else: no control character (C0,
// DEL, C1), no separator of lines, no mark of direction, no tag, nothing without width.
bool is_harmless(std::uint32_t code_point);

// Whether nothing of a text is seen.
bool is_blank(std::string_view text);

// Whether a CI system obeys what a text begins with when it stands in a log: "##[", "##vso[" and
// "##teamcity[" anywhere, and "::" where a line begins. That may be wherever a word does: lines are
// wrapped. `before` is the code point in front of the text, 0 where there is none.
bool begins_command(std::string_view text, std::uint32_t before);

// JSON, as nlohmann::json::dump() writes it: with escapes for what is not harmless and for what
// begins a command. Its values are the same.
std::string harmless_json(std::string_view json);

// A name as it is. If a name takes more than `most` bytes in JSON, its begin and its end, and
// between them eight digits that distinguish it from others.
std::string kept_name(std::string name, std::size_t most = limits::kept_name_bytes);

}  // namespace lapscope::analyzer
