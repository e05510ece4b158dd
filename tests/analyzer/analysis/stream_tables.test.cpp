#include "analyzer/analysis/stream_tables.h"

#include "analyzer/scope/sweep.h"
#include "tests/analyzer/support/picture.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

TEST_CASE("streams that only touch do not overlap") {
  const Device device = test::device_with(test::ops_in({"K AA", "K ..BB"}));
  const Scope scope = whole(device.ops);
  StreamOverlapObserver observer(device, streams_of(device, scope));
  sweep(device.ops, scope, observer);
  REQUIRE(observer.overlaps().empty());
}

TEST_CASE("streams of two processes with one id are two streams") {
  Device device = test::device_with(test::ops_in({"K AAA", "K .BBB"}));
  device.streams[1].id = 7;
  device.streams[1].pid = 100;
  device.streams[2].id = 7;
  device.streams[2].pid = 200;
  const auto streams = streams_of(device, whole(device.ops));
  REQUIRE(streams.size() == 2);
  REQUIRE(streams[0].busy_ns == 3);
  REQUIRE(streams[1].stream.pid == 200);
}

}  // namespace
}  // namespace lapscope::analyzer
