#pragma once

#include <string>

#include "analyzer/analysis/report.h"

namespace lapscope::reports {

// The critical path of a device over its window, with a key: work in the colour of its engine,
// waiting in that of idle time, and what was merged as shares above each other. Empty without
// causes.
std::string svg_path(const analyzer::DeviceResult& device);

}  // namespace lapscope::reports
