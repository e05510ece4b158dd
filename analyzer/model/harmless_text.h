#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "analyzer/model/limits.h"

// Texts of a trace are untrusted. They are shown on terminals, in pages, and in logs in which CI
// systems look for commands.
namespace lapscope::analyzer {

struct CodePoint {
  std::uint32_t value = 0;
  std::size_t bytes = 0;  // 0: not UTF-8
};

// Returns the first code point of a text, which must not be empty. Overlong forms, surrogates and
// values above U+10FFFF are not UTF-8.
CodePoint first_of(std::string_view text);

// Whether a code point is only shown at its place and has no other effect. False for control
// characters (C0, DEL, C1), line separators, direction marks, tags, and characters of zero width.
bool is_harmless(std::uint32_t code_point);

// Whether a text has no visible character.
bool is_blank(std::string_view text);

// Whether a text begins with a command that a CI system would run if the text stood in a log. Such
// a command begins with "##[", "##vso[" or "##teamcity[" anywhere in a line. At the start of a
// line, it also begins with "::". Lines are wrapped, so any word may start a line. `before`: the
// code point in front of the text; 0 if there is none.
bool begins_command(std::string_view text, std::uint32_t before);

// Returns JSON with escapes for code points that are not harmless or that begin a command. The
// values stay the same. `json`: as nlohmann::json::dump() writes it.
std::string harmless_json(std::string_view json);

// Returns a name unchanged if it takes at most `most` bytes in JSON. Otherwise returns the
// beginning of the name, eight hexadecimal digits of its hash, and the end of the name. The hash
// distinguishes it from other long names.
std::string kept_name(std::string name, std::size_t most = limits::kept_name_bytes);

}  // namespace lapscope::analyzer
