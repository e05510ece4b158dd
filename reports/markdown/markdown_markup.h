#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/words/word_tables.h"

namespace lapscope::reports {

// Escapes a text from a trace so that Markdown shows it literally: no markup, HTML, link, mention
// or table row. The result is printable. Escaping with backslashes keeps the raw text readable.
// GitHub would link "@me" and "#12" despite backslashes, so they become code.
std::string markdown_text(std::string_view text);

// Returns the text as code between backticks, cut to `width` code points and shown literally.
std::string markdown_code(std::string_view text, std::size_t width);

// Escapes a text for a <summary> element, whose content is HTML.
std::string summary_text(std::string_view text);

// Cuts each absolute path to its last component, even between quotes: the folders of one machine
// mean nothing to readers on other machines.
std::string without_folders(std::string_view text);

// Escapes Markdown for a table cell: an unescaped '|' would end the cell, even within code.
std::string markdown_cell(std::string_view markdown);

using MarkdownCells = std::vector<std::string>;

// Returns a table. `aligns` has l or r for each column. Cells are Markdown.
std::string markdown_table(std::string_view aligns, const MarkdownCells& head,
                           const std::vector<MarkdownCells>& rows);
// Converts a table to Markdown, without its caption. Other renderers show the same table.
std::string markdown_table(const WordTable& table);

}  // namespace lapscope::reports
