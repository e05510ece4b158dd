#pragma once

#include <ostream>
#include <span>

#include "analyzer/analysis/report.h"

namespace lapscope::reports {

// A Perfetto trace, for ui.perfetto.dev and trace_processor: tracks for each device, engine and
// stream and each host thread, flows from calls to the ops that they issued, counters of active ops
// and of bytes per second, and a track of findings. Needs the reports' timelines.
void render_perfetto(std::span<const analyzer::Report> reports, std::ostream& out);

}  // namespace lapscope::reports
