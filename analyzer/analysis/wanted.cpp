#include "analyzer/analysis/wanted.h"

#include <algorithm>
#include <set>

#include "analyzer/model/name_pattern.h"

namespace lapscope::analyzer {

Interval issue_of(const Trace& trace, const std::vector<Wanted>& wanted) {
  Interval issued{latest_time, 0};
  for (const Wanted& one : wanted) {
    const Ops& ops = trace.devices[one.device].ops;
    for (std::size_t i = 0; i < one.scope.ops.size(); ++i) {
      const std::uint32_t op = one.scope.ops[i];
      const std::int64_t time =
          ops.issue[op] == no_index ? ops.start[op] : trace.calls.start[ops.issue[op]];
      issued.start = std::min(issued.start, time);
      issued.end = std::max(issued.end, time + 1);
    }
  }
  return issued;
}

Interval issue_to_explain(const Context& context, bool are_ranges,
                          const std::vector<Wanted>& wanted) {
  if (are_ranges || context.options.window) return issue_of(context.trace, wanted);
  return {0, latest_time + 1};
}

Interval issue_of_windows(const Trace& trace, const std::vector<Wanted>& wanted) {
  Interval issued = issue_of(trace, wanted);
  const Calls& calls = trace.calls;
  std::set<const Calls::Thread*> threads;
  std::int64_t begin = issued.start;
  for (const Wanted& one : wanted) {
    begin = std::min(begin, one.scope.window.start);
    const Ops& ops = trace.devices[one.device].ops;
    for (std::size_t i = 0; i < one.scope.ops.size(); ++i) {
      const std::uint32_t call = ops.issue[one.scope.ops[i]];
      if (call != no_index) threads.insert(&calls.threads[calls.thread_of(call)]);
    }
  }
  for (const Calls::Thread* thread : threads) {
    const auto first = calls.start.begin() + thread->first;
    const auto after = std::lower_bound(first, calls.start.begin() + thread->last, begin);
    if (after != first) issued.start = std::min(issued.start, *std::prev(after));
  }
  return issued;
}

std::map<std::string, std::vector<Wanted>> wanted_scopes(const Context& context) {
  const Trace& trace = context.trace;
  const auto& patterns = context.options.ranges;
  std::set<std::string> names;
  for (const NvtxRange& range : trace.ranges) {
    const std::string& name = trace.names.text(range.name);
    if (std::any_of(patterns.begin(), patterns.end(),
                    [&name](const std::string& p) { return fits_pattern(name, p); })) {
      names.insert(name);
    }
  }
  std::map<std::string, std::vector<Wanted>> wanted;
  for (std::uint16_t d = 0; d < trace.devices.size(); ++d) {
    const Device& device = trace.devices[d];
    if (device.ops.empty()) continue;
    if (patterns.empty() && !context.options.profiler_brackets) {
      if (auto scope = own_scope(context, device)) {
        wanted[""].push_back({d, std::move(*scope), nullptr});
      }
    }
    if (context.options.profiler_brackets) {
      if (auto scope = scope_of(context, device, RangeKind::profiler, "")) {
        wanted[std::string(profiler_brackets)].push_back({d, std::move(*scope), nullptr});
      }
    }
    for (const std::string& name : names) {
      if (auto scope = scope_of(context, device, RangeKind::nvtx, name)) {
        wanted[name].push_back({d, std::move(*scope), nullptr});
      }
    }
  }
  return wanted;
}

}  // namespace lapscope::analyzer
