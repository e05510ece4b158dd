#include "analyzer/analysis/explain.h"

#include <algorithm>
#include <map>

#include "analyzer/analysis/wanted.h"
#include "analyzer/findings/path_stretches.h"
#include "analyzer/graph/build_graph.h"

namespace lapscope::analyzer {
namespace {

void explain(const Context& context, Interval issued, const std::vector<Wanted>& wanted) {
  const Trace& trace = context.trace;
  const Graph graph = build_graph(trace, issued);
  std::vector<Scoped> scopes;
  for (const Wanted& one : wanted) scopes.push_back(scoped(graph, one.device, one.scope));
  auto causes = find_causes({trace, context.host, graph}, scopes, context.options.causes);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (!scopes[i].tasks.empty()) wanted[i].result->causes = std::move(causes[i]);
  }
}

// A window may begin with idle time, and what the host did then is told by calls before the first
// that issued something for it. No fix is replayed with those: they were made at other times by
// each thread, and what the threads did for each other in between is not known.
void tell_beginnings(const Context& context, const std::vector<Wanted>& windows) {
  const Trace& trace = context.trace;
  const Graph graph = build_graph(trace, issue_of_windows(trace, windows));
  for (const Wanted& one : windows) {
    if (!one.result->causes) continue;
    tell_path({trace, context.host, graph}, scoped(graph, one.device, one.scope),
              context.options.causes.path_listed, *one.result->causes);
  }
}

}  // namespace

void explain(const Context& context, std::vector<DeviceResult>& devices) {
  const Trace& trace = context.trace;
  std::vector<Wanted> whole_devices;
  std::map<std::pair<RangeKind, std::string>, std::vector<Wanted>> ranges;
  for (std::uint16_t d = 0; d < trace.devices.size(); ++d) {
    const auto result =
        std::find_if(devices.begin(), devices.end(),
                     [&](const DeviceResult& device) { return device.id == trace.devices[d].id; });
    if (result == devices.end()) continue;
    whole_devices.push_back({d, *own_scope(context, trace.devices[d]), &result->scope});
    for (RangeResult& range : result->ranges) {
      if (auto scope = scope_of(context, trace.devices[d], range.kind, range.name)) {
        ranges[{range.kind, range.name}].push_back({d, std::move(*scope), &range.scope});
      }
    }
  }
  if (whole_devices.empty()) return;
  explain(context, issue_to_explain(context, false, whole_devices), whole_devices);
  if (context.options.window) tell_beginnings(context, whole_devices);
  for (const auto& [key, wanted] : ranges) {
    explain(context, issue_to_explain(context, true, wanted), wanted);
  }
}

}  // namespace lapscope::analyzer
