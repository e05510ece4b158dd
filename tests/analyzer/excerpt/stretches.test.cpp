#include "analyzer/excerpt/stretches.h"

#include "tests/analyzer/support/program.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::Program;

std::vector<Interval> spread(const Program& program, std::size_t ops, std::size_t count) {
  const OpSet all = OpSet::all_of(program.trace.devices.front().ops);
  std::vector<Interval> stretches = spread_stretches(program.trace, 0, all, ops, count);
  for (Interval& one : stretches) {
    one.start /= program.unit;
    one.end /= program.unit;
  }
  return stretches;
}

// Four of the eight ops are wanted: the third to the sixth. The device waits for the host before
// the third op and before the seventh, so the stretch begins and ends there.
TEST_CASE("a stretch begins and ends where the device waits for the host") {
  const Program program(R"(
    thread 1  ab.ssab.ssab.ssab.ss
    stream 1  .AABB.AABB.AABB.AABB
    s = cudaDeviceSynchronize
  )");
  REQUIRE(spread(program, 4, 1) == std::vector<Interval>{{5, 15}});
}

TEST_CASE("stretches that touch are one") {
  const Program program(R"(
    thread 1  a.s.a.s.a.s.a.s.
    stream 1  .AA..AA..AA..AA.
    s = cudaDeviceSynchronize
  )");
  REQUIRE(spread(program, 4, 2).size() == 1);
}

}  // namespace
}  // namespace lapscope::analyzer
