#include "tests/bench/shapes.h"

#include "readers/read_trace.h"
#include "tests/catch.h"
#include "tests/collector/support/temporary_folder.h"

namespace lapscope::bench {
namespace {

// The analyzer skips impossible ops, so a benchmark must not contain any.
TEST_CASE("nothing in the traces of a shape is impossible") {
  const test::TemporaryFolder folder;
  for (const Shape& shape : shapes()) {
    INFO(shape.name);
    if (shape.contradicts_itself) continue;
    write_shape(folder / "t.sqlite", shape, 300);
    const analyzer::Trace trace = analyzer::read_trace(folder / "t.sqlite");
    CHECK(trace.health.empty());
    CHECK(trace.impossible_ops.empty());
    CHECK_FALSE(trace.devices.empty());
  }
}

}  // namespace
}  // namespace lapscope::bench
