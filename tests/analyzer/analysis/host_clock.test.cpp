#include "analyzer/analysis/host_clock.h"

#include "analyzer/analysis/analyze.h"
#include "tests/analyzer/support/program.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::Program;

NvtxRange range_at(Ns start, Ns end, std::int64_t thread = 1, std::uint32_t name = 1) {
  return {{start, end}, thread, name};
}

TEST_CASE("while several ranges of a name are open, the time counts once") {
  CHECK(open_time({}) == 0);
  CHECK(open_time({range_at(0, 9), range_at(4, 13, 2)}) == 13);
  CHECK(open_time({range_at(0, 5), range_at(9, 13, 2)}) == 9);
  CHECK(open_time({range_at(0, 5), range_at(5, 9)}) == 9);
  CHECK(open_time({range_at(0, 10), range_at(4, 6, 2)}) == 10);
  CHECK(open_time({range_at(0, 10), range_at(0, 10)}) == 10);
}

//   A  |--------|
//   B       |--------|
TEST_CASE("the times of different names are added up") {
  CHECK(open_time({range_at(0, 9), range_at(5, 14, 1, 2)}) == 18);
}

// Returns the correction of a scope of NVTX ranges. Recording adds 20 us to each launch. A range is
// {thread, begin, end}, in characters.
struct DrawnRange {
  std::size_t thread;
  std::int64_t begin;
  std::int64_t end;
};
Correction correction_of(const char* drawing, std::initializer_list<DrawnRange> ranges) {
  Program program(drawing);
  Trace& trace = program.trace;
  for (const DrawnRange& range : ranges) {
    trace.ranges.push_back({{range.begin * program.unit, range.end * program.unit},
                            trace.calls.threads.at(range.thread).global_tid});
  }
  trace.call_costs = {"2026-11-22T14:00:00Z", {{"launch", 20'000}, {"query", 0}}};
  AnalyzeOptions options;
  options.ranges = {trace.names.text(0)};
  const Report report = analyze(trace, options);
  return report.devices.at(0).ranges.at(0).scope.causes.value().correction.value();
}

// The range contains three launches and a wait. It ends 20 us after the wait.
//
//   range     |---------------|
//   thread 1  aaaabbbbccccsss..d    recorded
//   stream 1  ....A...B...CC...D
TEST_CASE("the corrected open time of a range excludes the recorder's time") {
  const Correction correction = correction_of(R"(
    thread 1  .aaaabbbbccccsss..d.
    stream 1  .....A...B...CC....D
    s = cudaDeviceSynchronize
  )",
                                              {{0, 0, 18}});
  CHECK(correction.host_recorded_ns == 180'000);
  CHECK(correction.host_corrected_ns == 120'000);
}

const char* const two_threads = R"(
    thread 1  .aaaabbbb............
    thread 2  ..........cccc.......
    stream 1  .....A...B....CCCCC..
)";

// Thread 2 opens the range. In the range, thread 1 launches twice, and thread 2 launches later.
//
//   range 2   |-------------------|
//   thread 1  .aaaabbbb............
//   thread 2  ..........cccc.......
//   stream 1  .....A...B....CCCCC..
TEST_CASE("a range starts at its own start, however late the first call of its thread comes") {
  const Correction correction = correction_of(two_threads, {{1, 0, 20}});
  CHECK(correction.host_recorded_ns == 200'000);
  CHECK(correction.host_corrected_ns == 140'000);
}

// Each case has one range in each thread. The columns show the open time of the two ranges in us.
// Without the recorder, what was recorded at 90 us happens at 50 us, and the end at 200 us is at
// 140 us.
//
//                                                 recorded   corrected
//   range 1   |--------|                          200        140         at the same time
//   range 2   |-------------------|
//   range 1   |---------|                         200        140         in part at the same time
//   range 2           |-----------|
//   range 1   |--------|                          200        140         they touch
//   range 2            |----------|
//   range 1   |--------|                          190        130         one after the other
//   range 2             |---------|
TEST_CASE("ranges of one name in two threads have one open time, recorded and corrected") {
  for (const auto& ranges : {std::initializer_list<DrawnRange>{{0, 0, 9}, {1, 0, 20}},
                             std::initializer_list<DrawnRange>{{0, 0, 10}, {1, 9, 20}},
                             std::initializer_list<DrawnRange>{{0, 0, 9}, {1, 9, 20}}}) {
    const Correction correction = correction_of(two_threads, ranges);
    CHECK(correction.host_recorded_ns == 200'000);
    CHECK(correction.host_corrected_ns == 140'000);
  }
  const Correction correction = correction_of(two_threads, {{0, 0, 9}, {1, 10, 20}});
  CHECK(correction.host_recorded_ns == 190'000);
  CHECK(correction.host_corrected_ns == 130'000);
}

}  // namespace
}  // namespace lapscope::analyzer
