#pragma once

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace lapscope::analyzer {

// Whether a text fits a pattern. A * in the pattern matches any text, even an empty text.
bool fits_pattern(std::string_view text, std::string_view pattern);

bool fits_any(std::string_view text, const auto& patterns) {
  return std::any_of(std::begin(patterns), std::end(patterns),
                     [text](std::string_view pattern) { return fits_pattern(text, pattern); });
}

// Returns the name that was probably meant:
// - the name with the smallest edit distance (insertions, removals, changes, swaps of neighbours),
//   if this distance is small,
// - else the only name that contains `meant`, if there is exactly one,
// - else nothing.
std::optional<std::string_view> nearest_name(std::string_view meant,
                                             std::span<const std::string_view> names);

// Returns "; did you mean 'copy_hidden'?", or a list of all names if none is near.
std::string suggestion(std::string_view meant, std::span<const std::string_view> names);

}  // namespace lapscope::analyzer
