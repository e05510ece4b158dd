#include "analyzer/model/call_costs.h"

#include <limits>

#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

Trace with_launches(int launches, CallCosts costs) {
  Trace trace;
  trace.calls.kind.assign(static_cast<std::size_t>(launches), CallKind::launch);
  trace.call_costs = std::move(costs);
  return trace;
}

TEST_CASE("a call without a cost of its own costs what a query costs") {
  const CallCosts costs{"", {{"launch", 1'000}, {"query", 300}}};
  CHECK(cost_of(costs, CallKind::launch) == 1'000);
  CHECK(cost_of(costs, CallKind::load) == 300);
  CHECK(cost_of(costs, CallKind::query) == 300);
  CHECK(cost_of({}, CallKind::launch) == 0);
}

//   pause       20 us  245 us  3 ms
//   factor          1       2     3
TEST_CASE("after a pause a call costs more, by the logarithm of the pause") {
  const CallCosts costs{"",
                        {{"launch", 1'500},
                         {"copy-async", 1'000},
                         {"memset", 500},
                         {"query", 300},
                         {"cold-call", 3'000}}};
  const auto launch_after = [&](std::int64_t ns) {
    return cost_after(costs, CallKind::launch, ns);
  };
  CHECK(launch_after(0) == 1'500);
  CHECK(launch_after(20'000) == 1'500);
  CHECK(launch_after(244'949) == 3'000);
  CHECK(launch_after(3'000'000) == 4'500);
  CHECK(launch_after(std::numeric_limits<std::int64_t>::max()) == 4'500);
  CHECK(cost_after(costs, CallKind::query, 3'000'000) == 900);
  const CallCosts hot{"", {{"launch", 1'500}, {"copy-async", 1'000}, {"memset", 500}}};
  CHECK(cost_after(hot, CallKind::launch, 3'000'000) == 1'500);
}

TEST_CASE("typical costs are known of every kind of call") {
  const CallCosts costs = typical_costs();
  for (int kind = 0; kind <= static_cast<int>(CallKind::other); ++kind) {
    CHECK(cost_of(costs, static_cast<CallKind>(kind)) > 0);
  }
}

// The scatter of each kind of call is weighted by the number of such calls in the program.
TEST_CASE("a calibration that scatters is not used where the program made such calls") {
  const CallCosts costs{"2026-11-22T14:00:00Z",
                        {{"launch", 1'000}, {"query", 100}},
                        {{"launch", 500}, {"query", 90}}};
  Trace steady = with_launches(9, costs);
  leave_out_unsteady_costs(steady);
  CHECK_FALSE(steady.call_costs.empty());
  CHECK(steady.health.empty());

  Trace unsteady = with_launches(9, costs);
  unsteady.call_costs.spread_ns["launch"] = 501;
  leave_out_unsteady_costs(unsteady);
  CHECK(unsteady.call_costs.empty());
  REQUIRE(unsteady.health.size() == 1);
  CHECK(code_of(unsteady.health[0]) == "unsteady-calibration");
  CHECK(unsteady.health[0].details == Details{std::int64_t{50}});  // percent

  Trace asks = with_launches(1, costs);
  asks.calls.kind.insert(asks.calls.kind.end(), 100, CallKind::query);
  leave_out_unsteady_costs(asks);
  CHECK(asks.call_costs.empty());
}

TEST_CASE("a trace without calibration has nothing that could be unsteady") {
  Trace trace = with_launches(3, {});
  leave_out_unsteady_costs(trace);
  CHECK(trace.health.empty());
}

}  // namespace
}  // namespace lapscope::analyzer
