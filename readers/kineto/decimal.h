#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

// Numbers of JSON by their text, exactly: a double has 53 bits, and instants need 61.
namespace lapscope::kineto {

// The number times 10^exponent, rounded to the nearest integer; halves away from zero. Nothing if
// the text is no number, or does not fit.
//
//   scaled("1365627862757.064", 3)   1365627862757064: ns of us
std::optional<std::int64_t> scaled(std::string_view text, int exponent);

// Nothing if the text is not an integer; 1.0 and 1e3 are integers.
std::optional<std::int64_t> integer(std::string_view text);

}  // namespace lapscope::kineto
