#include "collector/request/capture.h"

#include "tests/catch.h"

namespace lapscope::request {
namespace {

using std::chrono::milliseconds;

TEST_CASE("everything is captured unless something is asked for", "[request]") {
  CHECK(Capture().is_everything());
  CHECK(Capture().text().empty());
  CHECK(Capture::from_text("").is_everything());
}

TEST_CASE("a capture survives being handed on as text", "[request]") {
  Capture capture;
  capture.delay = milliseconds(500);
  capture.duration = milliseconds(2000);
  capture.max_bytes = 1 << 20;
  REQUIRE(capture.set_range("nvtx:step;delay=9 = ü"));
  const Capture back = Capture::from_text(capture.text());
  CHECK(back.delay == capture.delay);
  CHECK(back.duration == capture.duration);
  CHECK(back.max_bytes == capture.max_bytes);
  CHECK(back.trigger == Capture::Trigger::nvtx);
  CHECK(back.range == "step;delay=9 = ü");
}

TEST_CASE("each part of a capture is handed on by itself", "[request]") {
  Capture capture;
  SECTION("delay") { capture.delay = milliseconds(1); }
  SECTION("duration") { capture.duration = milliseconds(0); }
  SECTION("size") { capture.max_bytes = 7; }
  SECTION("command") { capture.trigger = Capture::Trigger::command; }
  SECTION("profiler") { REQUIRE(capture.set_range("cudaProfilerApi")); }
  CHECK_FALSE(capture.is_everything());
  const Capture back = Capture::from_text(capture.text());
  CHECK(back.text() == capture.text());
  CHECK_FALSE(back.is_everything());
}

TEST_CASE("a range is one of two things", "[request]") {
  for (const char* text : {"", "nvtx", "nvtx:", "cudaprofilerapi", "NVTX:a", "all"}) {
    INFO(text);
    Capture capture;
    CHECK_FALSE(capture.set_range(text));
    CHECK(capture.is_everything());
  }
}

TEST_CASE("parts that are not understood are passed over", "[request]") {
  const Capture capture = Capture::from_text("speed=9;delay=x;duration=-3;size=12;what");
  CHECK(capture.delay == milliseconds(0));
  CHECK_FALSE(capture.duration);
  CHECK(capture.max_bytes == 12);
}

}  // namespace
}  // namespace lapscope::request
