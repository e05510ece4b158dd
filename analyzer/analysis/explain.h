#pragma once

#include <vector>

#include "analyzer/analysis/host_time_of_scope.h"
#include "analyzer/analysis/report.h"
#include "analyzer/analysis/resolve_scopes.h"

namespace lapscope::analyzer {

// Fills in the causes of all scopes and of their gaps. One graph explains a scope on all its
// devices (ScopeGroup). If that graph would be too large, a sample explains the scope
// (GroupSample).
void explain(const Context& context, const HostTimes& host_times,
             std::vector<DeviceResult>& devices);

ScopeResult& result_of(const Context& context, const ResolvedScope& scope,
                       std::vector<DeviceResult>& devices);

}  // namespace lapscope::analyzer
