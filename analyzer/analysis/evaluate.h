#pragma once

#include <optional>

#include "analyzer/analysis/report.h"
#include "analyzer/analysis/resolve_scopes.h"

namespace lapscope::analyzer {

// The measures and tables of a device, by index in the trace, and of its scopes; gaps are found and
// not explained. Empty when it has no scope.
std::optional<DeviceResult> evaluate_device(const Context& context, std::uint16_t device);

}  // namespace lapscope::analyzer
