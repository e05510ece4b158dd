#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace lapscope::reports {

// One self-contained page around `parts`, which are HTML: it loads nothing, its content security
// policy does not let it, and runs no script but ours. `title` is text.
void write_page(std::string_view title, const std::vector<std::string>& parts,
                std::string_view tool_version, std::ostream& out);

// The files of reports/html/page, made part of the program by the build.
extern const std::string_view page_style;
extern const std::string_view page_script;

}  // namespace lapscope::reports
