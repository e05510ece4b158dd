#include "analyzer/model/call_costs.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "analyzer/model/assumptions.h"
#include "analyzer/model/rules.h"
#include "collector/schema/call_cost_kinds.h"

namespace lapscope::analyzer {
namespace {

namespace kind = schema::call_cost;

// Sums over all calls of a trace and all nodes of its graph launches. `ns`: the time that recording
// adds. `spread_ns`: the spread of this time.
struct Sums {
  double ns = 0;
  double spread_ns = 0;

  void add(const CallCosts& costs, std::string_view name, double count) {
    ns += count * static_cast<double>(costs.of(name));
    const auto spread = costs.spread_ns.find(name);
    if (spread != costs.spread_ns.end()) spread_ns += count * static_cast<double>(spread->second);
  }
};

std::string_view kind_in(const CallCosts& costs, CallKind call) {
  const std::string_view own = name_of(call);
  return costs.ns.find(own) == costs.ns.end() ? kind::query : own;
}

Sums sums_of(const Trace& trace) {
  std::map<CallKind, Ns> calls;
  for (const CallKind call : trace.calls.kind) ++calls[call];
  Sums sums;
  for (const auto& [call, count] : calls) {
    sums.add(trace.call_costs, kind_in(trace.call_costs, call), static_cast<double>(count));
  }
  std::size_t nodes = 0;
  for (const Device& device : trace.devices) nodes += device.ops.nodes.size();
  sums.add(trace.call_costs, kind::graph_node, static_cast<double>(nodes));
  return sums;
}

// Returns a ratio: the time that recording adds to a cold call (a call after a sleep of its
// thread), divided by the average of the times that it adds to a copy, a launch and a memset. The
// result is at least 1.
double times_more_when_cold(const CallCosts& costs) {
  const std::array kinds = {kind::copy_async, kind::launch, kind::memset};
  double usual = 0;
  for (const std::string_view one : kinds) {
    usual += static_cast<double>(costs.of(one)) / kinds.size();
  }
  return rule::cold_calls && usual > 0
             ? std::max(1.0, static_cast<double>(costs.of(kind::cold_call)) / usual)
             : 1;
}

bool has_bare_runs(const Trace& trace) {
  return std::ranges::any_of(trace.runs, [](const RunTime& run) { return !run.is_recorded; });
}

}  // namespace

Ns cost_after(const CallCosts& costs, CallKind kind, Ns pause) {
  const auto cost = static_cast<double>(cost_of(costs, kind));
  const auto least = static_cast<double>(assumed::longest_latency);
  const auto longest = static_cast<double>(assumed::longest_pause);
  const double at = std::clamp(static_cast<double>(pause), least, longest);
  const double part = std::log(at / least) / std::log(longest / least);
  return std::llround(cost * (1 + part * (times_more_when_cold(costs) - 1)));
}

Ns cost_of(const CallCosts& costs, CallKind call) { return costs.of(kind_in(costs, call)); }

CallCosts typical_costs() {
  CallCosts costs;
  // All other kinds of calls have the cost of a query (cost_of()).
  costs.ns = {{std::string(kind::query), assumed::added_to_call},
              {std::string(kind::graph_node), assumed::added_to_call}};
  return costs;
}

CallCosts costs_to_take_off(const Trace& trace) {
  if (!rule::correction) return {};
  if (!trace.call_costs.empty()) return trace.call_costs;
  return has_bare_runs(trace) ? typical_costs() : CallCosts{};
}

void leave_out_unsteady_costs(Trace& trace) {
  if (has_bare_runs(trace)) return;  // the costs are fitted to the bare runs
  const Sums sums = sums_of(trace);
  if (sums.spread_ns <= assumed::majority * sums.ns) return;
  const std::int64_t percent = std::llround(100 * sums.spread_ns / std::max(sums.ns, 1.0));
  trace.health.push_back({HealthKind::unsteady_calibration, 1, {percent}});
  trace.call_costs = {};
}

}  // namespace lapscope::analyzer
