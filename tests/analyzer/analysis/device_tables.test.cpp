#include <numeric>
#include <random>

#include "analyzer/analysis/device_tables.h"
#include "analyzer/scope/sweep.h"
#include "tests/analyzer/support/bitmap.h"
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

ActivityStrip strip_of(const Subject& subject, const Scope& scope) {
  ActivityObserver activity(subject, scope);
  StripObserver observer(activity, scope.window);
  sweep(subject.device.ops, scope, activity, observer);
  return observer.strip();
}

TEST_CASE("a window shorter than the strip has a stretch for each ns") {
  //                                                     01234567
  const Device device = test::device_with(test::ops_in({"K AA..BBB", "H .CC"}));
  const ActivityStrip strip = strip_of(Subject(device, {}), whole(device.ops));
  REQUIRE(strip.size() == 7);
  CHECK(strip.busy_ns[0] == std::vector<std::int64_t>{1, 1, 0, 0, 1, 1, 1});
  CHECK(strip.busy_ns[1] == std::vector<std::int64_t>{0, 1, 1, 0, 0, 0, 0});
  CHECK(strip.idle_ns == std::vector<std::int64_t>{0, 0, 0, 1, 0, 0, 0});
}

// B is outside the scope.
TEST_CASE("a strip has other work beside idle time") {
  //                                                     0123456789
  const Device device = test::device_with(test::ops_in({"K AA.BBB.A"}));
  Scope scope = whole(device.ops);
  const auto all = std::make_shared<IntervalSet>(busy_of(device.ops));
  scope = *of_ops(device.ops, {0, 2});
  scope.device_busy = all;
  const ActivityStrip strip = strip_of(Subject(device, {}), scope);
  CHECK(strip.busy_ns[0] == std::vector<std::int64_t>{1, 1, 0, 0, 0, 0, 0, 1});
  CHECK(strip.other_work_ns == std::vector<std::int64_t>{0, 0, 0, 1, 1, 1, 0, 0});
  CHECK(strip.idle_ns == std::vector<std::int64_t>{0, 0, 1, 0, 0, 0, 1, 0});
  CHECK(strip.other_work() == 3);
}

TEST_CASE("a window without length has no stretches") {
  const Device device = test::device_with(test::ops_in({"K |"}));
  REQUIRE(strip_of(Subject(device, {}), whole(device.ops)).size() == 0);
}

// The times of the random ops are multiplied, so that the borders of the strip's intervals cut ops.
TEST_CASE("a strip adds up to the time of each engine and the idle time") {
  for (unsigned seed = 0; seed < 300; ++seed) {
    INFO("seed " << seed);
    std::mt19937 random(seed);
    Device device = test::random_device(random);
    for (std::int64_t& start : device.ops.start) start *= 1009;
    for (std::int64_t& end : device.ops.end) end *= 1009;
    const Subject subject(device, test::random_device_communication());
    const Scope scope = whole(device.ops);
    const Activity activity = activity_of(subject, scope);
    const ActivityStrip strip = strip_of(subject, scope);
    const auto sum = [](const std::vector<std::int64_t>& ns) {
      return std::accumulate(ns.begin(), ns.end(), std::int64_t{0});
    };
    for (const Engine engine : all_engines) {
      const auto& busy = strip.busy_ns[static_cast<std::size_t>(engine)];
      REQUIRE(sum(busy) == activity.time_with(class_of(engine)));
      for (std::size_t i = 0; i < strip.size(); ++i) REQUIRE(busy[i] <= strip.length(i));
    }
    REQUIRE(sum(strip.idle_ns) == scope.window.length() - activity.busy());
  }
}

}  // namespace
}  // namespace lapscope::analyzer
