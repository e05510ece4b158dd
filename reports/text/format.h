#pragma once

#include <cstdint>
#include <string>

#include "analyzer/measures/value.h"

namespace lapscope::reports {

// "8.652 ms": four significant digits or more, in the unit that keeps the number between 1 and
// 1000.
std::string format_ns(std::int64_t ns);

// part / whole as "12.3 %"; "" when whole is 0.
std::string format_share(std::int64_t part, std::int64_t whole);

// A ratio with three decimals, a duration, or "n/a".
std::string format_value(const analyzer::Value& value);

// A text from a trace made safe for a terminal: control characters become "?".
std::string printable(const std::string& text);

}  // namespace lapscope::reports
