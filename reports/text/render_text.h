#pragma once

#include <ostream>
#include <span>

#include "analyzer/analysis/report.h"

namespace lapscope::reports {

// For people: health first, then per device the measures, states, engines and streams as aligned
// tables. UTF-8, no colour, at most 100 columns but for names and definitions.
void render_text(std::span<const analyzer::Report> reports, std::ostream& out);

}  // namespace lapscope::reports
