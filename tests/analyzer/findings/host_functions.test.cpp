#include "analyzer/findings/host_functions.h"

#include "analyzer/findings/find_causes.h"
#include "tests/analyzer/support/graph_tables.h"
#include "tests/catch.h"

// If a thread was off its processor between calls, the finding says that the thread slept.
namespace lapscope::analyzer {
namespace {

using test::Program;

// Returns the causes of a program whose thread was off its processor during `off`.
CausesResult causes_with(std::initializer_list<Interval> off) {
  Program program(R"(
    thread 1  a.........b.........c.........d.
    stream 1  .AA.......................CC....
    stream 2  ...........BB.................DD
  )");
  program.trace.host_states.resize(program.trace.calls.threads.size());
  for (const Interval& one : off) {
    program.trace.host_states[0].push_back(
        {HostState::Kind::not_running, 0, {one.start * program.unit, one.end * program.unit}});
  }
  const Graph graph = test::graph_of(program.trace);
  const GraphScope scope = graph_scope(graph, 0, whole(program.trace.devices[0].ops));
  const HostTimeline host(program.trace);
  return find_causes({program.trace, host, graph}, {scope}, {}).at(0);
}

bool says_sleeps(const CausesResult& causes) {
  const auto& finding = causes.findings.at(0);
  REQUIRE(finding.code == "host-compute");
  CHECK(finding.what.kind == Doing::Kind::host_code);
  return finding.situation.sleeps;
}

//   thread 1  a.........b.........c.........d.
//   off         ########  ########  ########       eight of the nine units between two calls
TEST_CASE("a thread that was off its processor between calls is said to sleep") {
  CHECK(says_sleeps(causes_with({{2, 10}, {12, 20}, {22, 30}})));
}

//   off          ####      ####      ####          four of the nine units between two calls
TEST_CASE("a thread that ran for most of the time between calls is not said to sleep") {
  CHECK_FALSE(says_sleeps(causes_with({{3, 7}, {13, 17}, {23, 27}})));
}

//   off         ########                           one of three pauses
TEST_CASE("a thread that was off its processor in one of three pauses is not said to sleep") {
  CHECK_FALSE(says_sleeps(causes_with({{2, 10}})));
}

TEST_CASE("without a record of the processor it is said to compute") {
  CHECK_FALSE(says_sleeps(causes_with({})));
}

}  // namespace
}  // namespace lapscope::analyzer
