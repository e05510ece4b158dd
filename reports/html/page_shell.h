#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace lapscope::reports {

// Writes one self-contained page around `parts`, which are HTML. `title` is plain text. The page
// loads nothing and runs only its own scripts. Its content security policy enforces both.
void write_page(std::string_view title, const std::vector<std::string>& parts,
                std::string_view tool_version, std::ostream& out);

// The files of reports/html/page, embedded by the build.
extern const std::string_view page_style;
extern const std::string_view page_script;

}  // namespace lapscope::reports
