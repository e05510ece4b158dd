#pragma once

#include <optional>

#include "analyzer/analysis/report.h"
#include "analyzer/analysis/resolve_scopes.h"
#include "analyzer/explain/gaps.h"
#include "analyzer/model/host_timeline.h"

namespace lapscope::analyzer {

// `device` is an index in Trace::devices. Gaps have no causes. Empty if the device has no scope.
std::optional<DeviceResult> evaluate_device(const Context& context, std::uint16_t device);

// Replaces the indices in `gaps` by names, so that reports can show the gaps without the trace.
GapsResult describe_gaps(const Gaps& gaps, const Trace& trace, const HostTimeline& host,
                         const Device& device);

}  // namespace lapscope::analyzer
