#pragma once

#include <string_view>

namespace lapscope::analyzer {

// Whether a text fits a pattern in which * stands for any characters, none included.
bool fits_pattern(std::string_view text, std::string_view pattern);

}  // namespace lapscope::analyzer
