#include "reports/words/recorder_words.h"
#include "tests/catch.h"

namespace lapscope::reports {
namespace {

using analyzer::BareWall;

TEST_CASE("what recording adds to a range is said in one sentence") {
  BareWall bare;
  bare.recorded_ns = 9'200'000;
  bare.runs = 5;
  bare.median_ns = 7'700'000;
  bare.least_ns = 7'600'000;
  bare.most_ns = 7'800'000;
  bare.ended_synchronized = true;
  CHECK(bare_sentences(bare) ==
        "Recorded 9.200 ms, bare 7.700 ms (median of 5, 7.600 ms to 7.800 ms): recording adds "
        "19 %.");
  bare.recorded_ns = 7'315'000;
  CHECK(bare_sentences(bare).find("recording takes off 5 %.") != std::string::npos);
  bare.ended_synchronized = false;
  CHECK(bare_sentences(bare).find("ends before its GPU work does") != std::string::npos);
}

TEST_CASE("where there is no bare wall the reason is told") {
  BareWall bare;
  bare.recorded_ns = 9'200'000;
  bare.reason = "no bare run had such a range";
  CHECK(bare_sentences(bare) == "Bare n/a: no bare run had such a range.");
}

}  // namespace
}  // namespace lapscope::reports
