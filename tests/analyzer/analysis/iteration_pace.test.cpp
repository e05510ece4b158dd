#include "analyzer/analysis/iteration_pace.h"

#include <vector>

#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

constexpr Ns us = 1000;

// Makes a trace with ranges "step". `recorded` and `before` are their durations in us, in the
// capture and before it.
Trace trace_of(const std::vector<Ns>& recorded, const std::vector<Ns>& before) {
  Trace trace;
  trace.names.add(1, "step");
  Ns now = 0;
  for (const Ns length : recorded) {
    NvtxRange range;
    range.interval = {now, length == 0 ? latest_time : now + length * us};
    range.name = trace.names.index_of(1);
    trace.ranges.push_back(range);
    now += length * us;
  }
  trace.unrecorded.range = "step";
  for (const Ns length : before) trace.unrecorded.ns.push_back(length * us);
  return trace;
}

//   before    10 10 11 10 |
//   recorded              | 90 12 12 13   the first one is not compared
TEST_CASE(
    "recorded iterations that are longer than earlier ones are reported as slowed by recording") {
  const auto row = iteration_pace(trace_of({90, 12, 12, 13}, {10, 10, 11, 10}));
  REQUIRE(row);
  CHECK(row->kind == HealthKind::iterations_slower);
  CHECK(row->count == 3);
  CHECK(row->details ==
        Details{"step", 12 * us, 12 * us, 12 * us, std::int64_t{4}, 10 * us, 10 * us, 10 * us});
}

TEST_CASE("much longer iterations are a warning") {
  const auto row = iteration_pace(trace_of({90, 13, 13, 13}, {10, 10, 10}));
  REQUIRE(row);
  CHECK(row->kind == HealthKind::iterations_much_slower);
  CHECK(severity_of(*row) == Severity::warning);
}

TEST_CASE("iterations whose middle halves overlap are alike") {
  const auto row = iteration_pace(trace_of({90, 10, 12, 14, 16, 18}, {8, 10, 12, 14, 16}));
  REQUIRE(row);
  CHECK(row->kind == HealthKind::iterations_alike);
}

TEST_CASE("recorded iterations can be shorter, if the program changes its pace") {
  CHECK(iteration_pace(trace_of({90, 8, 8, 8}, {10, 10, 10}))->kind ==
        HealthKind::iterations_faster);
}

TEST_CASE("too few iterations, and those that never closed, are not compared") {
  CHECK_FALSE(iteration_pace(trace_of({90, 12, 12}, {10, 10, 10})));
  CHECK_FALSE(iteration_pace(trace_of({90, 12, 12, 0}, {10, 10, 10})));
  CHECK_FALSE(iteration_pace(trace_of({90, 12, 12, 12}, {10, 10})));
  CHECK_FALSE(iteration_pace(trace_of({}, {})));
}

}  // namespace
}  // namespace lapscope::analyzer
