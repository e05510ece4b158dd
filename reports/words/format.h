#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "analyzer/intervals/units.h"
#include "analyzer/measures/value.h"

namespace lapscope::reports {

// "8.65 ms": two decimals, in the unit that keeps the number between 1 and 1000.
std::string format_ns(analyzer::Ns ns);

// A time of a run, which counts from its first op, as --window takes it: "12.345 ms".
std::string format_instant(analyzer::Ns ns);

// "12.3 %", never "-0.0 %".
std::string format_percent(analyzer::Share share, int decimals = 1);

// "+12.3 %" or "-12.3 %", and "0.0 %".
std::string format_change(analyzer::Share share, int decimals = 1);

// part / whole as "12.3 %"; "" when whole is 0.
std::string format_share(std::int64_t part, std::int64_t whole);

// A ratio with three decimals, a duration, or "n/a".
std::string format_value(const analyzer::Value& value);

// "52.9 GB/s"
std::string format_rate(std::int64_t bytes_per_s);

// A text from a trace made valid UTF-8 that cannot move a terminal's cursor or turn the direction
// of what follows: bytes that are no UTF-8, control characters (C0, DEL, C1), separators of lines
// and marks of direction become "?".
std::string printable(std::string_view text);

// printable(text), cut to `width` columns of a terminal, of which the last is "…" when something
// was cut.
std::string shortened(std::string_view text, std::size_t width);

// A word of a shell's command: quoted where it has to be.
std::string shell_word(std::string_view text);

struct CodePoint {
  std::uint32_t value = 0;
  std::size_t bytes = 0;  // 0: not UTF-8
};

// The code point that a text begins with, which must not be empty; overlong forms, surrogates and
// what lies beyond U+10FFFF are not UTF-8.
CodePoint first_of(std::string_view text);

// Columns that a terminal shows a code point in: two for East Asian wide ones and most emoji, none
// for marks that combine with the one before. wcwidth(3) would know the same of the process's
// locale only, which stays "C" here.
std::size_t cells_of(std::uint32_t code_point);

}  // namespace lapscope::reports
