#include "analyzer/model/host_timeline.h"

#include <algorithm>
#include <random>

#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

constexpr std::int64_t thread = std::int64_t{1} << 24 | 5;

// Overlapping time belongs to the overhead that began first.
TEST_CASE("overlapping overheads of a thread are separated by their begin") {
  Trace trace;
  trace.overheads = {{{0, 3}, OverheadKind::profiler, thread},
                     {{1, 4}, OverheadKind::module_load, thread},
                     {{5, 6}, OverheadKind::profiler, thread + 1},
                     {{8, 10}, OverheadKind::command_buffer_full, thread},
                     {{8, 10}, OverheadKind::profiler, thread}};
  const HostTimeline host(trace);
  const auto own = host.overheads_of(thread);
  REQUIRE(own.size() == 3);
  CHECK(own[0].interval == Interval{0, 3});
  CHECK(own[1].interval == Interval{3, 4});
  CHECK(own[1].kind == OverheadKind::module_load);
  CHECK(own[2].interval == Interval{8, 10});
  CHECK(own[2].kind == OverheadKind::command_buffer_full);
  CHECK(host.overheads_of(thread + 2).empty());
}

TEST_CASE("a thread is in the innermost of nested ranges") {
  Trace trace;
  trace.ranges.resize(2);
  trace.ranges[0].interval = {0, 8};
  trace.ranges[1].interval = {1, 5};
  for (NvtxRange& range : trace.ranges) range.global_tid = thread;
  const HostTimeline host(trace);
  CHECK(host.innermost_range(thread, 0) == 0);
  CHECK(host.innermost_range(thread, 4) == 1);
  CHECK(host.innermost_range(thread, 5) == 0);
  CHECK(host.innermost_range(thread, 8) == no_index);
  CHECK(host.innermost_range(thread + 1, 4) == no_index);
  CHECK(host.range_around(1) == 0);
  CHECK(host.range_around(0) == no_index);
}

// Each range begins while all earlier ranges are open. It may end before or after them.
TEST_CASE("the innermost of many open ranges is the last one that began and has not ended") {
  std::mt19937 random(20261126);
  Trace trace;
  for (std::int64_t i = 0; i < 500; ++i) {
    NvtxRange range;
    const auto lasts = std::uniform_int_distribution<std::int64_t>(1, 2'000)(random);
    range.interval = {i, 500 + lasts};
    range.global_tid = thread;
    trace.ranges.push_back(range);
  }
  const HostTimeline host(trace);
  for (std::int64_t time = 0; time < 2'600; ++time) {
    std::uint32_t expected = static_cast<std::uint32_t>(std::min<std::int64_t>(time, 499));
    while (expected != no_index && trace.ranges[expected].interval.end <= time) {
      expected = host.range_around(expected);
    }
    REQUIRE(host.innermost_range(thread, time) == expected);
  }
}

//   thread 1  aaaabbbbbbbc.      in [0,12), b is innermost for 6, a for 4, c for 1, and m for 1
//             .....m.......
TEST_CASE("an interval is named after the range that is innermost for the longest time") {
  Trace trace;
  trace.ranges.resize(4);
  trace.ranges[0].interval = {0, 4};
  trace.ranges[1].interval = {4, 11};
  trace.ranges[2].interval = {5, 6};
  trace.ranges[3].interval = {11, 12};
  for (NvtxRange& range : trace.ranges) range.global_tid = thread;
  const HostTimeline host(trace);
  CHECK(host.around_most_of(thread, {0, 12}).range == 1);
  CHECK(host.around_most_of(thread, {0, 12}).ns == 6);
  CHECK(host.around_most_of(thread, {5, 6}).range == 2);
  CHECK(host.around_most_of(thread, {11, 30}).range == no_index);
  CHECK(host.around_most_of(thread + 1, {0, 12}).range == no_index);
}

}  // namespace
}  // namespace lapscope::analyzer
