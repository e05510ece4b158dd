#include "collector/decode/stretch.h"

#include <algorithm>
#include <span>
#include <vector>

#include "tests/collector/support/synthetic_trace.h"

namespace lapscope::decode {
namespace {

using request::Capture;
using std::chrono::milliseconds;
using test::cupti_time;

constexpr std::int64_t ms = 1'000'000;

Capture of_range(std::string_view text) {
  Capture capture;
  REQUIRE(capture.set_range(text));
  return capture;
}

TEST_CASE("all of a run is kept unless a part was asked for", "[decode]") {
  const Stretch stretch{Capture()};
  CHECK(stretch.is_everything());
  CHECK(stretch.keeps(0, 1));
  CHECK(stretch.keeps(-1, -1));
  CHECK_FALSE(stretch.row().has_value());
}

//   ms         1    3          6
//   interval        |----------|
//   kept       [----]   []    [----]
//   dropped   []               [---]
TEST_CASE("records that overlap the stretch are kept", "[decode]") {
  Capture capture;
  capture.delay = milliseconds(3);
  capture.duration = milliseconds(3);
  const Stretch stretch{capture};
  CHECK(stretch.keeps(1 * ms, 3 * ms));
  CHECK(stretch.keeps(4 * ms, 4 * ms));
  CHECK(stretch.keeps(6 * ms - 1, 9 * ms));
  CHECK(stretch.keeps(0, 100 * ms));
  CHECK_FALSE(stretch.keeps(0, 3 * ms - 1));
  CHECK_FALSE(stretch.keeps(6 * ms, 9 * ms));
  REQUIRE(stretch.row().has_value());
  CHECK(stretch.row()->start == 3 * ms);
  CHECK(stretch.row()->end == 6 * ms);
  CHECK(stretch.row()->begunBy == "delay");
  CHECK(stretch.row()->endedBy == "duration");
}

//   NVTX     |-- early ----
//   CUDA             |first use
//   interval         |--delay--|-----------|
TEST_CASE("a delay and a duration count from the first use of CUDA", "[decode]") {
  Capture capture;
  capture.duration = milliseconds(3);
  SECTION("without a delay") {
    const Stretch stretch(capture, 50 * ms);
    CHECK(stretch.row()->start == 50 * ms);
    CHECK(stretch.row()->end == 53 * ms);
    CHECK(stretch.row()->begunBy == "first use of CUDA");
  }
  SECTION("with one") {
    capture.delay = milliseconds(10);
    const Stretch stretch(capture, 50 * ms);
    CHECK(stretch.row()->start == 60 * ms);
    CHECK(stretch.row()->end == 63 * ms);
  }
}

TEST_CASE("a range from before the first use can be what is captured, unless there is a delay",
          "[decode]") {
  Capture capture = of_range("nvtx:early");
  Stretch stretch(capture, 50 * ms);
  stretch.begin(20 * ms);
  CHECK(stretch.row()->start == 20 * ms);
  capture.delay = milliseconds(1);
  Stretch delayed(capture, 50 * ms);
  delayed.begin(20 * ms);
  CHECK_FALSE(delayed.row().has_value());
  delayed.begin(51 * ms);
  CHECK(delayed.row().has_value());
}

TEST_CASE("what has no time is kept while the stretch lasts", "[decode]") {
  Stretch stretch{of_range("cudaProfilerApi")};
  CHECK_FALSE(stretch.keeps(-1, -1));
  stretch.begin(5);
  CHECK(stretch.keeps(-1, -1));
  CHECK(stretch.keeps(4, -1));
  stretch.end(9, "cudaProfilerStop");
  stretch.set_flush_interval(9, 12);
  CHECK_FALSE(stretch.keeps(-1, -1));
  CHECK_FALSE(stretch.keeps_untimed());
}

// The stretch lasts from 3 ms to 6 ms.
TEST_CASE("records without a time are kept if they may be from the stretch", "[decode]") {
  Capture capture;
  capture.delay = milliseconds(3);
  capture.duration = milliseconds(3);
  Stretch stretch{capture};
  stretch.set_flush_interval(0, 2 * ms);
  CHECK_FALSE(stretch.keeps_untimed());
  stretch.set_flush_interval(2 * ms, 4 * ms);
  CHECK(stretch.keeps_untimed());
  stretch.set_flush_interval(4 * ms, 9 * ms);
  CHECK(stretch.keeps_untimed());
  stretch.set_flush_interval(6 * ms, 9 * ms);
  CHECK_FALSE(stretch.keeps_untimed());
}

TEST_CASE("the first begin and the first end count", "[decode]") {
  Stretch stretch{of_range("cudaProfilerApi")};
  stretch.end(3, "cudaProfilerStop");  // no interval had begun
  CHECK_FALSE(stretch.row().has_value());
  stretch.begin(5);
  stretch.begin(7);
  stretch.end(9, "cudaProfilerStop");
  stretch.end(12, "cudaProfilerStop");
  stretch.begin(20);
  CHECK(stretch.row()->start == 5);
  CHECK(stretch.row()->end == 9);
}

TEST_CASE("whatever ends a stretch first ends it", "[decode]") {
  Capture capture = of_range("cudaProfilerApi");
  capture.duration = milliseconds(10);
  Stretch stretch{capture};
  stretch.begin(0);
  SECTION("the program") {
    stretch.end(4 * ms, "cudaProfilerStop");
    CHECK(stretch.row()->endedBy == "cudaProfilerStop");
  }
  SECTION("time") {
    stretch.end(14 * ms, "cudaProfilerStop");
    CHECK(stretch.row()->endedBy == "duration");
    CHECK(stretch.row()->end == 10 * ms);
  }
}

TEST_CASE("a trigger before the end of the delay is none", "[decode]") {
  Capture capture = of_range("cudaProfilerApi");
  capture.delay = milliseconds(2);
  Stretch stretch{capture};
  stretch.begin(1 * ms);
  CHECK_FALSE(stretch.has_begun());
  stretch.begin(3 * ms);
  CHECK(stretch.row()->start == 3 * ms);
}

test::KernelRecord kernel(std::int64_t start, std::int64_t end) {
  auto record = test::make_record<test::KernelRecord>(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  record.start = cupti_time(start);
  record.end = cupti_time(end);
  record.name = "kernel";
  return record;
}

test::MarkerRecord marker(std::uint32_t id, const char* name, std::int64_t time, bool ends) {
  auto record = test::make_record<test::MarkerRecord>(CUPTI_ACTIVITY_KIND_MARKER);
  record.flags = ends ? CUPTI_ACTIVITY_FLAG_MARKER_END : CUPTI_ACTIVITY_FLAG_MARKER_START;
  record.id = id;
  record.name = ends ? nullptr : name;
  record.timestamp = cupti_time(time);
  return record;
}

void find_range(test::SyntheticTrace& trace, const std::vector<test::ActivityBuffer*>& flush) {
  std::vector<std::span<std::uint8_t>> buffers;
  for (test::ActivityBuffer* buffer : flush) buffers.emplace_back(buffer->data(), buffer->size());
  trace.decoder().find_range(buffers);
}

// The buffer of kernels comes before the buffer of markers. The first range `step` is captured:
//
//   step          [10.....20]  [40.....50]
//   kernels   [5,8]  [12,15]  [18,25]  [42,45]
TEST_CASE("the range to capture is found before kernels are decoded", "[decode]") {
  const cupti::CuptiApi& cupti = test::real_cupti();
  test::SyntheticTrace trace(of_range("nvtx:step"));
  test::ActivityBuffer kernels(cupti);
  kernels.add(kernel(5, 8)).add(kernel(12, 15)).add(kernel(18, 25)).add(kernel(42, 45));
  test::ActivityBuffer markers(cupti);
  markers.add(marker(1, "other", 1, false)).add(marker(1, nullptr, 3, true));
  markers.add(marker(2, "step", 10, false)).add(marker(2, nullptr, 20, true));
  markers.add(marker(3, "step", 40, false)).add(marker(3, nullptr, 50, true));
  find_range(trace, {&kernels, &markers});
  for (auto* buffer : {&kernels, &markers}) trace.decode(*buffer);
  const auto rows = trace.rows<schema::KernelRow>();
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].start == 12);
  CHECK(rows[1].start == 18);
  const auto counts = trace.counts(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  CHECK(counts.received == 2);
  CHECK(counts.outside == 2);
  const auto stretch = trace.row<schema::StretchRow>();
  CHECK(stretch.start == 10);
  CHECK(stretch.end == 20);
  CHECK(stretch.begunBy == "NVTX range step");
  const auto ranges = trace.rows<schema::NvtxRow>();
  REQUIRE(ranges.size() == 1);
  CHECK(ranges[0].start == 10);
}

// One thread starts a range and another thread ends it. A later range has the same name. Each
// thread has a buffer:
//
//   thread 1   [10....        [30..40]
//   thread 2      ....20]
TEST_CASE("the first range is found in whatever order the buffers come", "[decode]") {
  const cupti::CuptiApi& cupti = test::real_cupti();
  test::SyntheticTrace trace(of_range("nvtx:step"));
  test::ActivityBuffer starts(cupti);
  starts.add(marker(1, "step", 10, false));
  test::ActivityBuffer ends(cupti);
  ends.add(marker(1, nullptr, 20, true));
  test::ActivityBuffer later(cupti);
  later.add(marker(2, "step", 30, false)).add(marker(2, nullptr, 40, true));
  std::vector<test::ActivityBuffer*> flush{&starts, &ends, &later};
  const int rotations = GENERATE(0, 1, 2);
  std::rotate(flush.begin(), flush.begin() + rotations, flush.end());
  if (GENERATE(false, true)) std::reverse(flush.begin(), flush.end());
  SECTION("in one flush") { find_range(trace, flush); }
  SECTION("in two flushes") {
    find_range(trace, {&starts});
    find_range(trace, {&later, &ends});
  }
  for (auto* buffer : flush) trace.decode(*buffer);
  trace.decoder().write_counts();
  const auto stretch = trace.row<schema::StretchRow>();
  CHECK(stretch.start == 10);
  CHECK(stretch.end == 20);
}

TEST_CASE("cudaProfilerStart and cudaProfilerStop bound what is kept", "[decode]") {
  test::SyntheticTrace trace(of_range("cudaProfilerApi"));
  trace.decode(kernel(1, 2));
  const callbacks::Event on = callbacks::ProfilerSwitch{cupti_time(10), true};
  trace.decoder().decode(std::span(&on, 1));
  trace.decode(kernel(3, 9), kernel(11, 12));
  const callbacks::Event off = callbacks::ProfilerSwitch{cupti_time(20), false};
  trace.decoder().decode(std::span(&off, 1));
  trace.decode(kernel(15, 30), kernel(25, 30));
  CHECK(trace.rows<schema::KernelRow>().size() == 2);
  CHECK(trace.counts(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL).outside == 3);
  CHECK(trace.row<schema::StretchRow>().endedBy == "cudaProfilerStop");
}

TEST_CASE("a range that never came leaves a table of no stretches", "[decode]") {
  test::SyntheticTrace trace(of_range("nvtx:step"));
  trace.decode(kernel(1, 2), marker(1, "open", 1, false));
  trace.decoder().write_counts();
  CHECK(trace.rows<schema::StretchRow>().empty());
  CHECK(trace.rows<schema::KernelRow>().empty());
  CHECK(trace.rows<schema::NvtxRow>().empty());
}

}  // namespace
}  // namespace lapscope::decode
