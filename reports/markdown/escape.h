#pragma once

#include <string>
#include <string_view>

namespace lapscope::reports {

// A text from a trace as Markdown that shows it and does nothing else: no markup, HTML, link,
// mention or row of a table comes of it. Printable; what Markdown or HTML could read is given as
// character references.
std::string markdown_text(std::string_view text);

// The same as code, cut to `width` code points. Character references work in <code>, but not
// between backticks.
std::string markdown_code(std::string_view text, std::size_t width);

}  // namespace lapscope::reports
