#pragma once

#include <vector>

#include "analyzer/analysis/host_time_of_scope.h"
#include "analyzer/analysis/report.h"
#include "analyzer/analysis/resolve_scopes.h"

namespace lapscope::analyzer {

// Fills in the causes of all scopes, and of their gaps. All devices are explained together, from
// one graph of all that the host did meanwhile; large scopes by a sample (GroupSample).
void explain(const Context& context, const HostTimes& host_times,
             std::vector<DeviceResult>& devices);

// The result of a scope of the context.
ScopeResult& result_of(const Context& context, const ResolvedScope& scope,
                       std::vector<DeviceResult>& devices);

}  // namespace lapscope::analyzer
