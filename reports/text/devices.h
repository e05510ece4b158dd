#pragma once

#include <ostream>

#include "analyzer/analysis/report.h"
#include "reports/text/style.h"

namespace lapscope::reports {

// The device of a report that has the most to gain: by what its first finding saves, of a range
// where ranges were asked for; else by its ops. Null when there is none.
const analyzer::DeviceResult* device_to_show(const analyzer::Report& report);

// A line for each device, and which of them is `shown` below.
void print_devices(const analyzer::Report& report, const analyzer::DeviceResult& shown,
                   const TextStyle& style, std::ostream& out);

}  // namespace lapscope::reports
