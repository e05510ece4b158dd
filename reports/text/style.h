#pragma once

#include <cstddef>

namespace lapscope::reports {

// How a text is to look. Whoever knows the terminal decides; a renderer never looks at the
// environment.
struct TextStyle {
  std::size_t width = 80;  // columns to fill; tables with long names may be wider when verbose
  bool colour = false;     // ANSI escapes
  bool unicode = true;     // else ASCII only
  bool verbose = false;    // every measure with its definition, and every table
};

}  // namespace lapscope::reports
