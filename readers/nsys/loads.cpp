#include "readers/nsys/loads.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer::nsys {
namespace {

bool has(const std::vector<std::string>& kinds, std::string_view kind) {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

struct Launches {
  std::vector<std::uint32_t> first;  // calls: of each kernel and process the earliest
  std::vector<Ns> others;
};

Launches launches_of(const Trace& trace) {
  const Calls& calls = trace.calls;
  std::vector<std::pair<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>>> launches;
  for (const Device& device : trace.devices) {
    const Ops& ops = device.ops;
    for (std::uint32_t op = 0; op < ops.size(); ++op) {
      const std::uint32_t call = ops.issue[op];
      if (ops.kind[op] != OpKind::kernel || call == no_index) continue;
      if (calls.kind[call] != CallKind::launch) continue;
      launches.push_back({call, {device.streams[ops.stream[op]].pid, ops.name[op]}});
    }
  }
  std::sort(launches.begin(), launches.end(), [&calls](const auto& a, const auto& b) {
    return std::make_pair(calls.start[a.first], a) < std::make_pair(calls.start[b.first], b);
  });
  Launches result;
  std::map<std::pair<std::uint32_t, std::uint32_t>, bool> seen;
  for (const auto& [call, kernel] : launches) {
    if (seen.try_emplace(kernel, true).second) {
      result.first.push_back(call);
    } else {
      result.others.push_back(calls.interval(call).length());
    }
  }
  return result;
}

// Launches that wait for a full queue are long, first or not: one that loads is longer than all of
// them.
Ns least_load(const std::vector<Ns>& others) {
  const auto longest = std::max_element(others.begin(), others.end());
  if (longest == others.end()) return assumed::least_load;
  return std::max<std::int64_t>(assumed::least_load, *longest + 1);
}

}  // namespace

void infer_loads(Trace& trace) {
  const auto& recorded = trace.facts.recorded;
  if (has(recorded, "OVERHEAD") || !has(recorded, "RUNTIME")) return;
  const Launches launches = launches_of(trace);
  if (launches.first.empty()) return;
  const Ns least = least_load(launches.others);
  std::int64_t count = 0;
  Ns ns = 0;
  for (const std::uint32_t call : launches.first) {
    const Interval interval = trace.calls.interval(call);
    if (interval.length() < least) continue;
    const auto& thread = trace.calls.threads[trace.calls.thread_of(call)];
    trace.overheads.push_back({interval, OverheadKind::module_load, thread.global_tid});
    ++count;
    ns += interval.length();
  }
  std::sort(trace.overheads.begin(), trace.overheads.end(),
            [](const Overhead& a, const Overhead& b) {
              return std::tie(a.interval.start, a.interval.end, a.global_tid) <
                     std::tie(b.interval.start, b.interval.end, b.global_tid);
            });
  trace.facts.without_cause.emplace_back("OVERHEAD");
  if (count == 0) return;
  constexpr std::int64_t ns_per_us = 1000;
  trace.health.push_back({HealthKind::loads_inferred, count, {ns / ns_per_us}});
}

}  // namespace lapscope::analyzer::nsys
