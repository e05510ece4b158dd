#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/words/word_tables.h"

namespace lapscope::reports {

// A text from a trace as Markdown that shows it and does nothing else: no markup, HTML, link,
// mention or row of a table comes of it. Printable. Backslashes keep it readable as raw text, too;
// "@me" and "#12", which backslashes do not keep GitHub from linking, are given as code.
std::string markdown_text(std::string_view text);

// The same as code between backticks, cut to `width` code points.
std::string markdown_code(std::string_view text, std::size_t width);

// The text of a <summary>: HTML, which Markdown leaves alone.
std::string summary_text(std::string_view text);

// `text` with absolute paths, also those between quotes, cut to their last part: folders of one
// machine mean nothing to readers on others.
std::string without_folders(std::string_view text);

// Markdown as a cell of a table: a '|' that is not behind a backslash would end it, in code, too.
std::string markdown_cell(std::string_view markdown);

using MarkdownCells = std::vector<std::string>;

// `aligns` has l or r for each column. Cells are Markdown.
std::string markdown_table(std::string_view aligns, const MarkdownCells& head,
                           const std::vector<MarkdownCells>& rows);
// What other renderings show, too, without its caption.
std::string markdown_table(const WordTable& table);

}  // namespace lapscope::reports
