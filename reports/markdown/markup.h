#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/words/tables.h"

namespace lapscope::reports {

// A text from a trace as Markdown that shows it and does nothing else: no markup, HTML, link,
// mention or row of a table comes of it. Printable; what Markdown or HTML could read is given as
// character references.
std::string markdown_text(std::string_view text);

// The same as code, cut to `width` code points. Character references work in <code>, but not
// between backticks.
std::string markdown_code(std::string_view text, std::size_t width);

using MarkdownCells = std::vector<std::string>;

// `aligns` has l or r for each column. Cells are Markdown.
std::string markdown_table(std::string_view aligns, const MarkdownCells& head,
                           const std::vector<MarkdownCells>& rows);
// What other renderings show, too, without its caption.
std::string markdown_table(const WordTable& table);

}  // namespace lapscope::reports
