#pragma once

#include <optional>

#include "analyzer/analysis/report.h"
#include "analyzer/analysis/resolve_scopes.h"
#include "analyzer/explain/gaps.h"
#include "analyzer/model/host_timeline.h"

namespace lapscope::analyzer {

// The measures and tables of a device, by index in the trace, and of its scopes; gaps are found and
// not explained. Empty when it has no scope.
std::optional<DeviceResult> evaluate_device(const Context& context, std::uint16_t device);

// Turns the indices of found gaps into names that can be shown without the trace.
GapsResult describe_gaps(const Gaps& gaps, const Trace& trace, const HostTimeline& host,
                         const Device& device);

}  // namespace lapscope::analyzer
