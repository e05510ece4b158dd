#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace lapscope::analyzer {

// Whether a text fits a pattern in which * stands for any characters, none included.
bool fits_pattern(std::string_view text, std::string_view pattern);

// The name that was probably meant: the one that takes the fewest letters to be inserted, removed,
// changed or swapped with their neighbour, if few enough; or the only one that the text is part of.
std::optional<std::string_view> nearest_name(std::string_view meant,
                                             std::span<const std::string_view> names);

// "; did you mean 'copy_hidden'?", or a list of all names when none is near.
std::string suggestion(std::string_view meant, std::span<const std::string_view> names);

}  // namespace lapscope::analyzer
