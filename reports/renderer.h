#pragma once

#include <ostream>
#include <span>
#include <string_view>

#include "analyzer/analysis/report.h"
#include "reports/text/style.h"

namespace lapscope::reports {

// One way to show results. A renderer is added by a folder of its own and one line in registry.cpp.
struct Renderer {
  std::string_view name;  // what --format takes
  std::string_view description;
  std::string_view extension;       // of the file, as ".txt"
  std::string_view also_extension;  // that is known for it, too; may be empty
  bool draws = false;               // needs Report::timeline
  // `style` is for what is read in a terminal; other renderers have their own looks.
  void (*render)(std::span<const analyzer::Report> reports, const TextStyle& style,
                 std::ostream& out);
};

std::span<const Renderer> renderers();

// Null when there is none of that name.
const Renderer* find_renderer(std::string_view name);

}  // namespace lapscope::reports
