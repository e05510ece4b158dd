#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace lapscope::analyzer {

// Whether a text fits a pattern. A * in the pattern stands for any number of characters, even none.
bool fits_pattern(std::string_view text, std::string_view pattern);

// Returns the name that was probably meant. If the smallest edit distance to a name (insertions,
// removals, changes, swaps of neighbours) is small, returns that name. Otherwise, if exactly one
// name contains `meant`, returns that name. Otherwise, returns nothing.
std::optional<std::string_view> nearest_name(std::string_view meant,
                                             std::span<const std::string_view> names);

// Returns "; did you mean 'copy_hidden'?", or a list of all names if none is near.
std::string suggestion(std::string_view meant, std::span<const std::string_view> names);

}  // namespace lapscope::analyzer
