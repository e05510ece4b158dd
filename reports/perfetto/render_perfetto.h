#pragma once

#include <ostream>
#include <span>
#include <string>

#include "analyzer/analysis/report.h"
#include "analyzer/intervals/units.h"

namespace lapscope::reports {

// A run in a Perfetto trace.
struct PerfettoRun {
  const analyzer::Report* report = nullptr;
  // The name of the process that contains the devices of the run. If empty, the devices are at the
  // top level.
  std::string process;
  std::string prefix;         // for the names of its tracks at the top level
  analyzer::Ns shift_ns = 0;  // added to all times of the run
};

// Writes a Perfetto trace for ui.perfetto.dev and trace_processor. It has tracks for each device,
// engine, stream and host thread, and a track of findings. Flows lead from calls to the ops that
// they issued. Counters show active ops and bytes per second. Needs the reports' timelines.
void render_perfetto(std::span<const PerfettoRun> runs, std::ostream& out);
void render_perfetto(std::span<const analyzer::Report> reports, std::ostream& out);

}  // namespace lapscope::reports
