#include "analyzer/analysis/stream_tables.h"

#include <map>
#include <random>

#include "analyzer/scope/sweep.h"
#include "tests/analyzer/support/picture.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using Pairs = std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t>;

Pairs overlaps_in(const Ops& ops) {
  const Device device = test::device_with(ops);
  const Scope scope = whole(device.ops);
  StreamOverlapObserver observer(device, streams_of(device, scope));
  sweep(device.ops, scope, observer);
  Pairs pairs;
  for (const StreamOverlap& overlap : observer.overlaps()) {
    pairs[{overlap.a.id, overlap.b.id}] = overlap.ns;
  }
  return pairs;
}

TEST_CASE("pairs of streams overlap while both run something") {
  // stream 1  K AAAA....
  // stream 2  K ..BBBB..
  // stream 3  K ...CCCCC
  REQUIRE(overlaps_in(test::ops_in({"K AAAA", "K ..BBBB", "K ...CCCCC"})) ==
          Pairs{{{1, 2}, 2}, {{1, 3}, 1}, {{2, 3}, 3}});
}

TEST_CASE("streams that only touch do not overlap") {
  REQUIRE(overlaps_in(test::ops_in({"K AA", "K ..BB"})).empty());
}

TEST_CASE("pairs agree with intersecting the unions of two streams") {
  for (unsigned seed = 0; seed < 500; ++seed) {
    std::mt19937 random(seed);
    Ops ops;
    std::map<std::uint32_t, std::vector<Interval>> by_stream;
    for (unsigned i = 0; i < 1 + random() % 20; ++i) {
      const auto start = static_cast<std::int64_t>(random() % 60);
      const Interval interval{start, start + static_cast<std::int64_t>(random() % 15)};
      const auto stream = static_cast<std::uint32_t>(random() % 4);
      test::add_op(ops, interval, Engine::compute, stream);
      by_stream[stream].push_back(interval);
    }
    Pairs expected;
    for (const auto& [a, of_a] : by_stream) {
      for (const auto& [b, of_b] : by_stream) {
        const std::int64_t ns =
            intersect(IntervalSet::union_of(of_a), IntervalSet::union_of(of_b)).length();
        if (a < b && ns > 0) expected[{a, b}] = ns;
      }
    }
    INFO("seed " << seed);
    REQUIRE(overlaps_in(ops) == expected);
  }
}

TEST_CASE("ops of one stream that overlap are counted by how long") {
  //   AAAA....     the clocks of device and host were fitted wrongly by 1 ns
  //   ...BBBBB
  Ops ops;
  test::add_op(ops, {0, 4}, Engine::compute, 1);
  test::add_op(ops, {3, 8}, Engine::compute, 1);
  const Device device = test::device_with(ops);
  const auto streams = streams_of(device, whole(device.ops));
  REQUIRE(streams.size() == 1);
  REQUIRE(streams[0].busy_ns == 8);
  REQUIRE(streams[0].self_overlap_ns == 1);
  REQUIRE(streams[0].ops == 2);
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
