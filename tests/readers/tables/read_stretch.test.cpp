#include "readers/tables/read_stretch.h"

#include "tests/catch.h"
#include "tests/readers/read_written.h"

namespace lapscope::analyzer {
namespace {

using test::kernel;
using test::read_written;

Trace captured(schema::StretchRow stretch) {
  return read_written([&stretch](trace::TraceWriter& trace) {
    trace.insert(stretch);
    trace.insert(kernel(5, 15));
    trace.insert(kernel(20, 25));
    trace.insert(kernel(35, 60));
  });
}

// interval      10|---------------------|40
// recorded  5[aaaaaaa]15 20[bbb]25  35[ccccccc]60
TEST_CASE("ops count with the part inside the captured stretch") {
  const Trace trace = captured({10, 40, "delay", "duration"});
  REQUIRE(trace.devices.size() == 1);
  const Ops& ops = trace.devices[0].ops;
  REQUIRE(ops.start == std::vector<std::int64_t>{10, 20, 35});
  REQUIRE(ops.end == std::vector<std::int64_t>{15, 25, 40});
}

TEST_CASE("a stretch that lasted to the end of the recording has no border there") {
  const Trace trace = captured({10, std::nullopt, "delay", std::nullopt});
  REQUIRE(trace.devices[0].ops.end.back() == 60);
  REQUIRE(trace.devices[0].ops.start.front() == 10);
}

TEST_CASE("an op that only touches the stretch has no length") {
  const Trace trace = captured({15, 40, "delay", "duration"});
  REQUIRE(trace.devices[0].ops.interval(0) == Interval{15, 15});
}

}  // namespace
}  // namespace lapscope::analyzer
