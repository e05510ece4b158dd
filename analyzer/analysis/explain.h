#pragma once

#include <vector>

#include "analyzer/analysis/host_time_of_scope.h"
#include "analyzer/analysis/report.h"
#include "analyzer/analysis/resolve_scopes.h"

namespace lapscope::analyzer {

// Fills in the causes of all scopes and of their gaps. Builds one graph for each group of scopes. A
// group (ScopeGroup) is the same scope on several devices. Large scopes are explained by a sample
// (GroupSample).
void explain(const Context& context, const HostTimes& host_times,
             std::vector<DeviceResult>& devices);

// Finds the result of a scope in `devices`.
ScopeResult& result_of(const Context& context, const ResolvedScope& scope,
                       std::vector<DeviceResult>& devices);

}  // namespace lapscope::analyzer
