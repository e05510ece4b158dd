#pragma once

#include <ostream>
#include <span>
#include <string>

#include "analyzer/analysis/report.h"
#include "analyzer/intervals/units.h"

namespace lapscope::reports {

// A run in a trace.
struct PerfettoRun {
  const analyzer::Report* report = nullptr;
  // What its process is called, in which its devices are; without one, devices stand by themselves.
  std::string process;
  std::string prefix;         // of the names of its tracks at the top
  analyzer::Ns shift_ns = 0;  // added to all its times
};

// A Perfetto trace, for ui.perfetto.dev and trace_processor: tracks for each device, engine and
// stream and each host thread, flows from calls to the ops that they issued, counters of active ops
// and of bytes per second, and a track of findings. Needs the reports' timelines.
void render_perfetto(std::span<const PerfettoRun> runs, std::ostream& out);
void render_perfetto(std::span<const analyzer::Report> reports, std::ostream& out);

}  // namespace lapscope::reports
