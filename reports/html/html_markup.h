#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "reports/words/word_tables.h"

namespace lapscope::reports {

// Converts a text from a trace to HTML, for an element or a quoted attribute. The result is
// printable, and all characters that are special in HTML are escaped.
std::string html_text(std::string_view text);

// Returns the same as html_text(), but cuts the text to `width` code points. If the text was cut,
// the title attribute has the full text, up to 4,000 code points.
std::string html_name(std::string_view text, std::size_t width);

using Cells = std::vector<std::string>;  // HTML

// Returns a table with a caption, or "" if there are no rows. `aligns` has l or r for each column.
// `head` may be empty.
std::string table_of(std::string_view caption, std::string_view aligns, const Cells& head,
                     const std::vector<Cells>& rows);
// Converts a table to HTML. Other renderers show the same table.
std::string table_of(const WordTable& table);

// Writes one self-contained page around `parts`, which are HTML. `title` is plain text. The page
// loads nothing and runs only its own scripts. Its content security policy enforces both.
void write_page(std::string_view title, const std::vector<std::string>& parts,
                std::string_view tool_version, std::ostream& out);

// The files of reports/html/page, embedded by the build.
extern const std::string_view page_style;
extern const std::string_view page_script;

}  // namespace lapscope::reports
