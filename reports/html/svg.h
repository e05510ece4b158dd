#pragma once

#include <string>

#include "analyzer/analysis/report.h"

namespace lapscope::reports {

// The activity of a device over time as a picture that needs no script: a row for each engine, as
// high as the share of the time that it was busy, and one for idle time. Empty when nothing took
// time.
std::string svg_strip(const analyzer::DeviceResult& device);

// The critical path of a device over its window, with a key: work in the colour of its engine,
// waiting in that of idle time, and what was merged as shares above each other. Empty without
// causes.
std::string svg_path(const analyzer::DeviceResult& device);

}  // namespace lapscope::reports
