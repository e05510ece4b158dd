#include "analyzer/fixes/fix.h"
#include "tests/analyzer/fixes/fixed.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::edges_to;
using test::fixed;
using test::graph_of;
using test::Lines;
using test::Program;
using test::replayed;
using test::replayed_wall;

// Returns whether a cause has no fix.
bool has_none(Cause cause) {
  return cause == Cause::launch_latency || cause == Cause::host_call || cause == Cause::profiler ||
         cause == Cause::not_issued || cause == Cause::unexplained;
}

TEST_CASE("every other cause has one fix, in the order of the causes") {
  std::size_t next = 0;
  for (std::size_t i = 0; i < cause_count; ++i) {
    const auto cause = static_cast<Cause>(i);
    INFO(code_of(cause));
    if (has_none(cause)) {
      REQUIRE(fix_for(cause) == nullptr);
      continue;
    }
    REQUIRE(fixes()[next]->cause == cause);
    REQUIRE(fix_for(cause) == fixes()[next]);
    ++next;
  }
  REQUIRE(next == fixes().size());
}

TEST_CASE("a fix that has nothing to put right changes nothing") {
  const Program program(R"(
    thread 1  a...b....
    stream 1  .AAA.....
    stream 2  .....BBBB
  )");
  const Lines before = replayed(program, graph_of(program.trace));
  for (const Fix* fix : fixes()) {
    if (fix->cause == Cause::host_compute || fix->cause == Cause::launch_overhead) continue;
    INFO(code_of(fix->cause));
    REQUIRE(replayed(program, fixed(program, code_of(fix->cause))) == before);
  }
}

TEST_CASE("several fixes together save more than the sum of what each does") {
  const Program program(R"(
    thread 1    assssbtttttc...
    blocking 1  .AAAA..........
    legacy 7    ......BBBBB....
    blocking 2  ............CCC
    st = cudaDeviceSynchronize
  )");
  REQUIRE(replayed_wall(program, graph_of(program.trace)) == "14");
  // The thread still waits.
  REQUIRE(replayed_wall(program, fixed(program, "default-stream-barrier")) == "14");
  // The barriers remain: B follows A, and C follows B.
  REQUIRE(replayed_wall(program, fixed(program, "host-sync")) == "12");
  // The calls s and t take one character each, like the launches.
  REQUIRE(replayed(program, fixed(program, "host-sync default-stream-barrier")) ==
          Lines{"A 1 to 5", "B 3 to 8", "C 5 to 8"});
  REQUIRE(replayed_wall(program, fixed(program, "default-stream-barrier host-sync")) == "7");
}

TEST_CASE("no fix at all changes what could not be any quicker") {
  const Program program(R"(
    thread 1  a.....
    stream 1  .AAAA.
  )");
  const Lines before = replayed(program, graph_of(program.trace));
  for (const Fix* fix : fixes()) {
    INFO(code_of(fix->cause));
    REQUIRE(replayed(program, fixed(program, code_of(fix->cause))) == before);
  }
}

}  // namespace
}  // namespace lapscope::analyzer
