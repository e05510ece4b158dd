#pragma once

#include <string>
#include <string_view>

namespace lapscope::reports {

// A text from a trace made valid UTF-8 that cannot move a terminal's cursor or turn the direction
// of what follows: bytes that are no UTF-8, control characters (C0, DEL, C1), separators of lines
// and marks of direction become "?".
std::string printable(std::string_view text);

// printable(text), cut to `width` columns of a terminal, of which the last is "…" when something
// was cut.
std::string shortened(std::string_view text, std::size_t width);

}  // namespace lapscope::reports
