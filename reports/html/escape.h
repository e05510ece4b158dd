#pragma once

#include <string>
#include <string_view>

namespace lapscope::reports {

// A text from a trace as text of HTML, in an element or a quoted attribute: printable, and without
// any character that HTML reads.
std::string html_text(std::string_view text);

// The same, cut to `width` code points; cut ones have all of it (up to 4,000) as their title.
std::string html_name(std::string_view text, std::size_t width);

}  // namespace lapscope::reports
