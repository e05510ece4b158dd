#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace lapscope::reports {

struct CodePoint {
  std::uint32_t value = 0;
  std::size_t bytes = 0;  // 0: not UTF-8
};

// The code point that a text begins with, which must not be empty; overlong forms, surrogates and
// what lies beyond U+10FFFF are not UTF-8.
CodePoint first_of(std::string_view text);

// Columns that a terminal shows a code point in: two for East Asian wide ones and most emoji, none
// for marks that combine with the one before. wcwidth(3) would know the same of the process's
// locale only, which stays "C" here.
std::size_t cells_of(std::uint32_t code_point);

}  // namespace lapscope::reports
