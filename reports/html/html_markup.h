#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/words/word_tables.h"

namespace lapscope::reports {

// A text from a trace as text of HTML, in an element or a quoted attribute: printable, and without
// any character that HTML reads.
std::string html_text(std::string_view text);

// The same, cut to `width` code points; cut ones have all of it (up to 4,000) as their title.
std::string html_name(std::string_view text, std::size_t width);

using Cells = std::vector<std::string>;  // HTML

// A table with a caption, "" when it has no rows. `aligns` has l or r for each column; `head` may
// be empty.
std::string table_of(std::string_view caption, std::string_view aligns, const Cells& head,
                     const std::vector<Cells>& rows);
// The same of what other renderings show, too.
std::string table_of(const WordTable& table);

}  // namespace lapscope::reports
