#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "analyzer/model/limits.h"

// Texts of a trace are untrusted. They appear on terminals, in pages and in logs. CI systems search
// logs for commands.
namespace lapscope::analyzer {

struct CodePoint {
  std::uint32_t value = 0;
  std::size_t bytes = 0;  // 0: not UTF-8
};

// Returns the first code point of a text, which must not be empty. Overlong forms, surrogates and
// values above U+10FFFF are not UTF-8.
CodePoint first_of(std::string_view text);

// Whether a code point shows a character and has no other effect. False for control characters (C0,
// DEL, C1), line separators, direction marks, tags, and characters of zero width.
bool is_harmless(std::uint32_t code_point);

// Whether a text has no visible character.
bool is_blank(std::string_view text);

// Whether a text begins with a command that a CI system would find in a log. "##[", "##vso[" and
// "##teamcity[" begin a command anywhere. "::" begins a command at the start of a line. Lines are
// wrapped, so any word may start a line. `before`: the code point in front of the text; 0 if there
// is none.
bool begins_command(std::string_view text, std::uint32_t before);

// Returns JSON with escapes for code points that are not harmless or that begin a command. The
// values do not change. `json`: as nlohmann::json::dump() writes it.
std::string harmless_json(std::string_view json);

// Shortens a name that takes more than `most` bytes in JSON. Replaces its middle by eight
// hexadecimal digits of the name's hash, so that long names remain different.
std::string kept_name(std::string name, std::size_t most = limits::kept_name_bytes);

}  // namespace lapscope::analyzer
