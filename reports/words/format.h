#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "analyzer/intervals/units.h"
#include "analyzer/measures/value.h"

namespace lapscope::reports {

// Returns a number of things: "1 op", "2 ops".
std::string counted(std::int64_t number, std::string_view noun);

// Returns a duration such as "8.65 ms". It has two decimals, and its unit keeps the number between
// 1 and 1000. Durations in ns have no decimals: "850 ns".
std::string format_ns(analyzer::Ns ns);

// Returns a time since the run's first op, in the form that --window accepts: "12.345 ms".
std::string format_instant(analyzer::Ns ns);

// Returns a share such as "12.3 %"; never "-0.0 %". A share above 0 never becomes "0.0 %", but
// "<0.1 %". A share below 100 % never becomes "100.0 %", but ">99.9 %".
std::string format_percent(analyzer::Share share, int decimals = 1);

// Returns a share with two digits, such as "62 %" or "9.9 %". Shares between 99 and 100 % have
// three digits, such as "99.7 %".
std::string rough(analyzer::Share share);
std::string rough_share(std::int64_t part, std::int64_t whole);

// Returns a change with its sign: "+12.3 %" or "-12.3 %". Zero has no sign: "0.0 %".
std::string format_change(analyzer::Share share, int decimals = 1);

// Returns part / whole in percent: "12.3 %". Returns "" if `whole` is 0.
std::string format_share(std::int64_t part, std::int64_t whole);

// Returns a range of shares: "12.3 to 14.0 %", or "12.3 %" if both ends look the same.
std::string format_shares(std::int64_t least, std::int64_t most, std::int64_t whole);

// Returns a ratio with three decimals, a duration, or "n/a".
std::string format_value(const analyzer::Value& value);

// Returns a size such as "1 KiB", "32.5 MiB" or "17 B".
std::string format_size(analyzer::Bytes bytes);

// Returns a rate such as "52.9 GB/s", or "<0.1 GB/s".
std::string format_rate(std::int64_t bytes_per_s);

// Makes a text from a trace safe to print, as valid UTF-8. "?" replaces invalid bytes, code points
// that a terminal could interpret, and the beginning of a CI command. A second call changes
// nothing.
std::string printable(std::string_view text);

// Returns printable(text) as a CSV field, quoted if necessary.
std::string csv_field(std::string_view text);

// Returns printable(text), cut to `width` terminal columns. A text that was cut ends with "…".
std::string shortened(std::string_view text, std::size_t width);

// Like shortened(), but removes the middle of the text and keeps its end: "void
// at::native::vector…add<float>".
std::string cut_inside(std::string_view text, std::size_t width);

// Quotes a text, if necessary, so that it is one word of a shell command.
std::string shell_word(std::string_view text);

// Returns the number of terminal columns of a code point: 2 for East Asian wide characters and most
// emoji, 0 for combining marks. Does not use wcwidth(3), because the process has the locale "C", in
// which wcwidth(3) does not know these widths.
std::size_t cells_of(std::uint32_t code_point);

}  // namespace lapscope::reports
