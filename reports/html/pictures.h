#pragma once

#include <string>

#include "analyzer/analysis/report.h"

namespace lapscope::reports {

// Returns an SVG picture, without scripts, of a device's activity over time: a curve of the busy
// share of each engine, of other work and of idle time. It is empty if nothing took time.
std::string svg_strip(const analyzer::DeviceResult& device);

// Returns a picture of a device's critical path over its window, with a legend. Work has the colour
// of its engine. Waiting has the colour of idle time. Merged parts are stacked, and their heights
// are their shares. Empty if causes were not analyzed.
std::string svg_path(const analyzer::DeviceResult& device);

// Returns flame graphs of the host's time between its calls: a graph of the part on the critical
// path, if this part is known, and a graph of all this time. The graphs need no scripts. Each
// function is below its caller, and its width shows its time. Empty if no threads were sampled.
std::string flame_graphs(const analyzer::ScopeResult& scope);

}  // namespace lapscope::reports
