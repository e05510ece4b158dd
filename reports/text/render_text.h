#pragma once

#include <ostream>
#include <span>

#include "analyzer/analysis/report.h"
#include "reports/text/style.h"

namespace lapscope::reports {

// For people, on one screen a device: what is wrong with the recording, the verdict, how much
// overlaps, what stops the rest, what to do first, and how far to trust it. When verbose, all there
// is to tell.
void render_text(std::span<const analyzer::Report> reports, const TextStyle& style,
                 std::ostream& out);

}  // namespace lapscope::reports
