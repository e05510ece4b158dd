#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "reports/text/style.h"

namespace lapscope::reports {

// Words put on lines of at most `width` columns, each line after the first `indent` to the right.
// A word that is longer stands alone. No newline at the end.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent);

// A picture of shares over time in one line of `width` columns: how much of each column's time
// something was active, as blocks of eight heights. What is not nothing is never drawn as nothing.
// `active_ns` and `length_ns` have an entry for each stretch. A column shows the stretches that end
// in it, or with fewer stretches than columns the one that it lies in.
std::string strip_of(std::span<const std::int64_t> active_ns,
                     std::span<const std::int64_t> length_ns, std::size_t width,
                     const TextStyle& style);

// A text in ASCII: signs of formulas are spelt, others become '?'.
std::string in_ascii(std::string_view text);

}  // namespace lapscope::reports
