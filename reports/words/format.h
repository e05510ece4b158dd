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

// Two digits, "62 %" or "9.9 %"; what is nearly all of it is not all of it.
std::string rough(analyzer::Share share);
std::string rough_share(std::int64_t part, std::int64_t whole);

// "+12.3 %" or "-12.3 %", and "0.0 %".
std::string format_change(analyzer::Share share, int decimals = 1);

// part / whole as "12.3 %"; "" when whole is 0.
std::string format_share(std::int64_t part, std::int64_t whole);

// Shares between two: "12.3 to 14.0 %", or "12.3 %" where both are that.
std::string format_shares(std::int64_t least, std::int64_t most, std::int64_t whole);

// A ratio with three decimals, a duration, or "n/a".
std::string format_value(const analyzer::Value& value);

// "1 KiB", "32.5 MiB", "17 B"
std::string format_size(analyzer::Bytes bytes);

// "52.9 GB/s"
std::string format_rate(std::int64_t bytes_per_s);

// A text from a trace, or several with words between them, made valid UTF-8 that nothing obeys:
// each byte that is no UTF-8, code point that is not harmless, and first sign of a command of a CI
// system becomes "?". Applying it twice changes nothing.
std::string printable(std::string_view text);

// printable(text) as a field of CSV: between quotation marks where it has to be.
std::string csv_field(std::string_view text);

// printable(text), cut to `width` columns of a terminal; the last column is "…" if something was
// cut.
std::string shortened(std::string_view text, std::size_t width);

// Likewise, but cut inside, so that its end stays: "void at::native::vector…add<float>".
std::string cut_inside(std::string_view text, std::size_t width);

// A word of a shell's command: quoted where it has to be.
std::string shell_word(std::string_view text);

// Columns that a terminal shows a code point in: two for East Asian wide ones and most emoji, none
// for marks that combine with the one before. wcwidth(3) would know the same of the process's
// locale only, which stays "C" here.
std::size_t cells_of(std::uint32_t code_point);

}  // namespace lapscope::reports
