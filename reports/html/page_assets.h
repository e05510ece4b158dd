#pragma once

#include <string_view>

namespace lapscope::reports {

// The files of reports/html/page, made part of the program by the build.
extern const std::string_view page_style;
extern const std::string_view page_script;

}  // namespace lapscope::reports
