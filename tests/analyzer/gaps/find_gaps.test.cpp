#include "analyzer/gaps/find_gaps.h"

#include <map>

#include "tests/analyzer/support/host_picture.h"
#include "tests/catch.h"

// A host thread is drawn above the device: one character is one microsecond here, a run of a letter
// a call. L launch, S synchronize, M allocate, P pin, C blocking copy, W wait for event, F host
// function, o other call; the n-th L or C issues the n-th op of the device line.
namespace lapscope::analyzer {
namespace {

using test::Scene;

// The parts of the only gap, as "cause us", in order.
std::string parts_of(const Gaps& gaps) {
  REQUIRE(gaps.longest.size() == 1);
  std::string text;
  for (const GapPart& part : gaps.longest[0].parts) {
    if (!text.empty()) text += ", ";
    text += std::string(code_of(part.cause)) + " " + std::to_string(part.interval.length() / 1000);
  }
  return text;
}

TEST_CASE("the host was in a synchronising call, then outside CUDA, then in the launch") {
  //  us   0         1
  //       0123456789012345
  const Scene scene("L.SSSSSS..LL....", ".AAA........B...");
  REQUIRE(parts_of(scene.gaps()) == "host-sync 4, host-compute 2, launch-overhead 2");
}

TEST_CASE("what an issued op needs to reach the GPU is launch latency") {
  const Scene scene("L...L.......", ".AAA...B....");
  REQUIRE(parts_of(scene.gaps()) == "launch-overhead 1, launch-latency 2");
}

TEST_CASE(
    "an op issued long before and held back by nothing in the trace is unexplained, but for the "
    "way") {
  Scene scene("LC......................................",
              ".AAA..................................B.");
  GapOptions options;
  options.launch_latency_ns = 5'000;
  REQUIRE(parts_of(scene.gaps(options)) == "unexplained 29, launch-latency 5");
}

TEST_CASE("allocation, pinning and other calls are told apart") {
  const Scene scene("L..MM.PPP.oo.LL...", ".AA............B..");
  REQUIRE(
      parts_of(scene.gaps()) ==
      "alloc-free 2, host-compute 1, host-pinning 3, host-compute 1, host-call 2, host-compute 1, "
      "launch-overhead 2");
}

TEST_CASE("a stream that was told to wait for an event waited for it") {
  const Scene scene("LWL...............", ".AA.........B.....");
  REQUIRE(parts_of(scene.gaps()) == "event-wait 9");
}

TEST_CASE("a host function before the op may have held it back") {
  const Scene scene("LFL...............", ".AA.........B.....");
  REQUIRE(parts_of(scene.gaps()) == "host-func 9");
}

TEST_CASE("a wait that an earlier op has already passed explains nothing") {
  const Scene scene("LWLC..............", ".AAB........C.....");
  REQUIRE(parts_of(scene.gaps()) == "launch-latency 8");
}

TEST_CASE("tracing itself is a cause where it held the thread up") {
  Scene scene("L....LLLLL...", ".AA.......B..");
  scene.overhead({6'000, 8'000}, OverheadKind::profiler);
  REQUIRE(parts_of(scene.gaps()) ==
          "host-compute 2, launch-overhead 1, profiler 2, launch-overhead 2");
}

TEST_CASE("module loading inside a launch is not the launch") {
  Scene scene("L....LLLLL...", ".AA.......B..");
  scene.overhead({5'000, 9'000}, OverheadKind::module_load);
  REQUIRE(parts_of(scene.gaps()) == "host-compute 2, module-load 4, launch-overhead 1");
}

TEST_CASE("gaps below the limit are one summed row") {
  const Scene scene("LLL..........", ".AA.BB.CC....");
  GapOptions options;
  options.shortest_ns = 1'001;
  const Gaps gaps = scene.gaps(options);
  REQUIRE(gaps.count == 2);
  REQUIRE(gaps.short_count == 2);
  REQUIRE(gaps.short_ns == 2'000);
  REQUIRE(gaps.total_ns == 2'000);
  REQUIRE(gaps.longest.empty());
}

TEST_CASE("a device without gaps has none") {
  const Gaps gaps = Scene("LL....", ".AABB.").gaps();
  REQUIRE(gaps.count == 0);
  REQUIRE(gaps.total_ns == 0);
}

TEST_CASE("ops whose call is not in the trace leave their gap unexplained") {
  const Scene scene("L.........", ".AA....B..");
  REQUIRE(parts_of(scene.gaps()) == "unexplained 4");
}

TEST_CASE("idle time at the end of a window has no next op") {
  const Scene scene("L.........", ".AA.......");
  REQUIRE(parts_of(scene.gaps_within({1'000, 9'000})) == "not-issued 6");
}

TEST_CASE("the innermost range of the thread is named") {
  Scene scene("L........L...", ".AA.......B..");
  scene.range("outer", {0, 12'000});
  scene.range("inner", {4'000, 9'000});
  scene.range("before", {0, 2'000});
  const Gaps gaps = scene.gaps();
  const GapPart& part = gaps.longest.at(0).parts.at(0);
  REQUIRE(part.cause == GapCause::host_compute);
  REQUIRE(scene.range_name(part.range) == "inner");
}

TEST_CASE("parts fill their gap and gaps the idle time, whatever the host did") {
  const char* hosts[] = {"LSLLMSoWLF..L.LL", "L.L.L.L.L.L.L.L.", "LLLLLLSSSSSSSSLL",
                         "LWFWFMPoSL......"};
  const char* devices[] = {".A..BB..C...D.EE", "..A....BCD.....E", "...............A",
                           ".A.B.C.D.E.F.G.H"};
  for (const char* host : hosts) {
    for (const char* device : devices) {
      INFO(host << " " << device);
      const Gaps gaps = Scene(host, device).gaps();
      std::int64_t explained = gaps.short_ns;
      for (const std::int64_t ns : gaps.by_cause) explained += ns;
      REQUIRE(explained == gaps.total_ns);
      for (const Gap& gap : gaps.longest) {
        std::int64_t now = gap.interval.start;
        for (const GapPart& part : gap.parts) {
          REQUIRE(part.interval.start == now);
          REQUIRE(part.interval.length() > 0);
          now = part.interval.end;
        }
        REQUIRE(now == gap.interval.end);
      }
    }
  }
}

}  // namespace
}  // namespace lapscope::analyzer
