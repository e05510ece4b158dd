#pragma once

#include <ostream>
#include <span>

#include "analyzer/analysis/report.h"

namespace lapscope::reports {

// One self-contained page: tables and findings that are read without scripts, and a timeline to
// zoom into. It loads nothing, and its content security policy does not let it. Names from the
// trace are text wherever they are. Needs the reports' timelines.
void render_html(std::span<const analyzer::Report> reports, std::ostream& out);

}  // namespace lapscope::reports
