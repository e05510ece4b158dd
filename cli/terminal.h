#pragma once

#include "reports/text/style.h"

namespace lapscope::cli {

// How a text on standard output should look: the terminal's width (80 when it has none), colour on
// a terminal only and never when NO_COLOR is set or TERM is "dumb", and signs beyond ASCII when the
// locale is one of UTF-8.
reports::TextStyle style_of_stdout();

// For a file: as wide as a terminal usually is, UTF-8, no colour.
inline reports::TextStyle style_of_files() { return {.width = 100}; }

// Whether an encoding as nl_langinfo(CODESET) names it is UTF-8.
bool is_utf8(const char* codeset);

}  // namespace lapscope::cli
