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

// "52.9 GB/s"
std::string format_rate(std::int64_t bytes_per_s);

}  // namespace lapscope::reports
