#pragma once

#include <vector>

#include "analyzer/analysis/judge.h"

namespace lapscope::analyzer {

// Fills in the causes of the devices' own scopes, and of their ranges. All devices are explained
// together, from one graph of all that the host did meanwhile.
void explain(const Context& context, std::vector<DeviceResult>& devices);

}  // namespace lapscope::analyzer
