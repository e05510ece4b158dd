#pragma once

#include <optional>

#include "analyzer/analysis/report.h"
#include "analyzer/analysis/resolve_scopes.h"
#include "analyzer/explain/gaps.h"
#include "analyzer/model/host_timeline.h"

namespace lapscope::analyzer {

// Evaluates all scopes of a device, but does not look for causes: explain() adds them. `device` is
// an index in Trace::devices. Returns nullopt if the device has no scope.
std::optional<DeviceResult> evaluate_device(const Context& context, std::uint16_t device);

// Returns `gaps` with names instead of indices, so that reports can show the gaps without the
// trace.
GapsResult describe_gaps(const Gaps& gaps, const Trace& trace, const HostTimeline& host,
                         const Device& device);

}  // namespace lapscope::analyzer
