#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

// Converts JSON numbers from their text without rounding through a double: a double has 53 bits,
// and timestamps need 61.
namespace lapscope::kineto {

// Returns the number times 10^exponent, rounded to the nearest integer. Rounds halves away from
// zero. Returns nothing if the text is not a number or the result does not fit.
//
//   scaled("1365627862757.064", 3)   returns 1365627862757064: us to ns
std::optional<std::int64_t> scaled(std::string_view text, int exponent);

// Returns the value of a text such as "17", "1.0" or "1e3"; nothing if it is not an integer. A number
// counts as an integer if its first decimal, after rounding, is 0: 1.04 counts as 1.
std::optional<std::int64_t> integer(std::string_view text);

}  // namespace lapscope::kineto
