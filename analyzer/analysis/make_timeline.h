#pragma once

#include <vector>

#include "analyzer/analysis/report.h"

namespace lapscope::analyzer {

// The ops of these devices that reach into their windows, the calls that issued them, and what else
// the host did from the first of all these to the last. Costs about what is in it: 36 bytes an op,
// 20 a call.
Timeline timeline_of(const Trace& trace, const std::vector<DeviceResult>& devices);

}  // namespace lapscope::analyzer
