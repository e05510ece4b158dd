#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/words/tables.h"

namespace lapscope::reports {

using MarkdownCells = std::vector<std::string>;

// `aligns` has l or r for each column. Cells are Markdown.
std::string markdown_table(std::string_view aligns, const MarkdownCells& head,
                           const std::vector<MarkdownCells>& rows);
// What other renderings show, too, without its caption.
std::string markdown_table(const WordTable& table);

}  // namespace lapscope::reports
