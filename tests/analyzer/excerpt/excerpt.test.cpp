#include "analyzer/excerpt/excerpt.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "analyzer/excerpt/stretches.h"
#include "readers/read_trace.h"
#include "tests/analyzer/support/program.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::Program;
using Lines = std::vector<std::string>;

// Makes an excerpt. Stretches are in characters of the drawing.
Excerpt excerpt(const Program& program, std::vector<Interval> stretches) {
  for (Interval& one : stretches) {
    one.start *= program.unit;
    one.end *= program.unit;
  }
  return excerpt_of(program.trace, stretches);
}

std::string told(const std::string& name, Interval interval, std::int64_t unit) {
  return fmt::format("{} {} to {}", name, interval.start / unit, interval.end / unit);
}

Lines ops(const Program& program, const Excerpt& excerpt) {
  Lines lines;
  const Ops& ops = excerpt.trace.devices.front().ops;
  for (std::uint32_t op = 0; op < ops.size(); ++op) {
    lines.push_back(
        told(program.ops.front()[excerpt.ops.front()[op]], ops.interval(op), program.unit));
  }
  return lines;
}

Lines calls(const Program& program, const Excerpt& excerpt) {
  Lines lines;
  const Calls& calls = excerpt.trace.calls;
  for (std::uint32_t call = 0; call < calls.size(); ++call) {
    lines.push_back(
        told(std::string(name_of(calls.kind[call])), calls.interval(call), program.unit));
  }
  return lines;
}

TEST_CASE("an excerpt is a run that did some stretches of the whole, and nothing else") {
  const Program program(R"(
    thread 1  asss..asss..asss..
    stream 1  ..AA....AA....AA..
    s = cudaDeviceSynchronize
  )");
  const Excerpt cut = excerpt(program, {{0, 6}, {12, 18}});
  //  thread 1  asss..asss..
  //  stream 1  ..AA....AA..
  REQUIRE(ops(program, cut) == Lines{"A 2 to 4", "A3 8 to 10"});
  REQUIRE(calls(program, cut) ==
          Lines{"launch 0 to 1", "synchronize 1 to 4", "launch 6 to 7", "synchronize 7 to 10"});
  REQUIRE(cut.trace.devices.front().ops.issue == std::vector<std::uint32_t>{0, 2});
  REQUIRE(cut.part_of_op(8 * program.unit).earlier == 6 * program.unit);
  REQUIRE(cut.part_of_op(4 * program.unit).earlier == 0);
}

// A still runs when the first interval ends. A has ended before the second interval begins. In the
// excerpt, the second interval begins when A has ended.
TEST_CASE("the ops of an interval start after the ops of earlier intervals have ended") {
  const Program program(R"(
    thread 1  a..........b....
    stream 1  .AAAAAAA....BBB.
  )");
  const Excerpt cut = excerpt(program, {{0, 1}, {11, 12}});
  //  thread 1  a......b....
  //  stream 1  .AAAAAAABBB.
  REQUIRE(ops(program, cut) == Lines{"A 1 to 8", "B 8 to 11"});
  REQUIRE(calls(program, cut) == Lines{"launch 0 to 1", "launch 7 to 8"});
}

TEST_CASE("a call ends at the latest with its interval or with the last op of this interval") {
  const Program program(R"(
    thread 1  assssssssssss...
    thread 2  .......b....c...
    stream 1  ..AAA...BB...CC.
    s = cudaDeviceSynchronize
  )");
  const Excerpt cut = excerpt(program, {{0, 7}, {12, 13}});
  REQUIRE(calls(program, cut) == Lines{"launch 0 to 1", "synchronize 1 to 7", "launch 7 to 8"});
  REQUIRE(ops(program, cut) == Lines{"A 2 to 5", "C 8 to 10"});
}

// The first call r is before the first interval, so the excerpt lacks the event of this call. The
// range [6,7) lies between the two intervals, so the excerpt lacks this range.
TEST_CASE("an excerpt has the records of its calls, and the parts of ranges in its intervals") {
  Program program(R"(
    thread 1  ar.w....ar.w....
    stream 1  .AA.....AA......
    r = cudaEventRecord, stream 1, event 1
    w = cudaStreamWaitEvent, stream 1, event 1
  )");
  for (const Interval range : {Interval{0, 16}, {0, 5}, {6, 7}, {9, 16}}) {
    NvtxRange one;
    one.interval = {range.start * program.unit, range.end * program.unit};
    program.trace.ranges.push_back(one);
  }
  //  thread 1  .w..ar.w      from 2 on
  const Excerpt cut = excerpt(program, {{2, 6}, {8, 12}});
  REQUIRE(cut.trace.event_records.size() == 1);
  REQUIRE(cut.trace.event_records.front().call == 2);
  REQUIRE(cut.trace.synchronizations.size() == 2);
  Lines ranges;
  for (const NvtxRange& one : cut.trace.ranges) {
    ranges.push_back(told("range", one.interval, program.unit));
  }
  REQUIRE(ranges == Lines{"range 2 to 10", "range 2 to 5", "range 7 to 10"});
}

TEST_CASE("an excerpt of the whole trace equals the trace") {
  const Trace trace = read_trace(LAPSCOPE_TEST_TRACES "/oddities/bare-runs.sqlite");
  const Excerpt all = excerpt_of(trace, {{0, latest_time}});
  REQUIRE(all.parts.size() == 1);
  REQUIRE(all.parts.front().earlier == 0);
  REQUIRE(all.trace.calls.start == trace.calls.start);
  REQUIRE(all.trace.calls.end == trace.calls.end);
  REQUIRE(all.trace.ranges.size() == trace.ranges.size());
  REQUIRE(all.trace.synchronizations.size() == trace.synchronizations.size());
  for (std::size_t d = 0; d < trace.devices.size(); ++d) {
    const Ops& ops = trace.devices[d].ops;
    REQUIRE(all.trace.devices[d].ops.start == ops.start);
    REQUIRE(all.trace.devices[d].ops.end == ops.end);
    REQUIRE(all.trace.devices[d].ops.issue == ops.issue);
    REQUIRE(all.trace.devices[d].ops.nodes == ops.nodes);
  }
}

TEST_CASE("spread stretches keep the laws of a trace and the time that ops take") {
  const Trace trace = read_trace(LAPSCOPE_TEST_TRACES "/unseen/small-kernels-broken.sqlite");
  const OpSet whole = OpSet::all_of(trace.devices.front().ops);
  for (const std::size_t count : {1U, 5U, 16U}) {
    const auto stretches = spread_stretches(trace, 0, whole, 1000, count);
    REQUIRE(stretches.size() <= count);
    REQUIRE(std::is_sorted(stretches.begin(), stretches.end(),
                           [](Interval a, Interval b) { return a.end <= b.start; }));
    const Excerpt cut = excerpt_of(trace, stretches);
    const Ops& ops = cut.trace.devices.front().ops;
    // An excerpt begins and ends where the device waits for the host. Hundreds of ops can lie
    // between two such places.
    REQUIRE(ops.size() > 500);
    REQUIRE(ops.size() < 2000);
    REQUIRE(std::is_sorted(ops.start.begin(), ops.start.end()));
    for (std::uint32_t op = 0; op < ops.size(); ++op) {
      const std::uint32_t was = cut.ops.front()[op];
      REQUIRE(ops.interval(op).length() == trace.devices.front().ops.interval(was).length());
      REQUIRE(ops.start[op] + cut.part_of_op(ops.start[op]).earlier ==
              trace.devices.front().ops.start[was]);
    }
    const Calls& calls = cut.trace.calls;
    for (const Calls::Thread& thread : calls.threads) {
      for (std::uint32_t call = thread.first; call + 1 < thread.last; ++call) {
        REQUIRE(calls.start[call] <= calls.end[call]);
        REQUIRE(calls.end[call] <= calls.start[call + 1]);
      }
    }
  }
}

}  // namespace
}  // namespace lapscope::analyzer
