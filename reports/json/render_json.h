#pragma once

#include <ostream>
#include <span>

#include "analyzer/analysis/report.h"

namespace lapscope::reports {

// One object per trace as documented in docs/json.md. Times are integers in ns; a figure that is
// not defined is null with a reason.
void render_json(std::span<const analyzer::Report> reports, std::ostream& out);

}  // namespace lapscope::reports
