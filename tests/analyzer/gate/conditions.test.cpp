#include <cmath>

#include "analyzer/gate/gate.h"
#include "analyzer/gate/parse_condition.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::Containing;

template <class F>
std::string message_of(F&& parse) {
  try {
    parse();
  } catch (const ConditionError& error) {
    return error.what();
  }
  return "";
}

std::string complaint_of_min(std::string_view text) {
  return message_of([text] { parse_bound(Sense::at_least, text); });
}

TEST_CASE("bounds are written as ratios, percent or times") {
  const auto value = [](std::string_view text) { return parse_bound(Sense::at_most, text).value; };
  CHECK(value("copy_hidden=0.8") == 0.8);
  CHECK(value("copy_hidden=80%") == 0.8);
  CHECK(value(" copy_hidden = 80 % ") == 0.8);
  CHECK(value("overlap_ratio=-0.5") == -0.5);
  CHECK(value("wall=8.5ms") == 8.5e6);
  CHECK(value("wall=300us") == 3e5);
  CHECK(value("wall=300 µs") == 3e5);
  CHECK(value("wall=2s") == 2e9);
  CHECK(value("wall=17ns") == 17);
  CHECK(value("kernel_concurrency=3.5") == 3.5);
}

TEST_CASE("what is no number, or of the wrong unit, is refused with what to write") {
  for (const char* text : {"copy_hidden=", "copy_hidden=abc", "copy_hidden=0,8", "copy_hidden=nan",
                           "copy_hidden=inf", "copy_hidden=1e999", "copy_hidden=0.5x"}) {
    INFO(text);
    CHECK_THAT(complaint_of_min(text), Containing("is not a number"));
  }
  CHECK_THAT(complaint_of_min("copy_hidden"), Containing("MEASURE=VALUE"));
  CHECK_THAT(complaint_of_min("copy_hidden=5ms"), Containing("is a ratio"));
  CHECK_THAT(complaint_of_min("wall=5"), Containing("is a time"));
  CHECK_THAT(complaint_of_min("wall=5%"), Containing("is a time"));
}

TEST_CASE("a bound that no run can meet, or that all do, is refused") {
  CHECK_THAT(complaint_of_min("overlap_ratio=50"), Containing("cannot be met; 50 percent"));
  CHECK_THAT(message_of([] { parse_bound(Sense::at_most, "idle_ratio=50"); }),
             Containing("is always met; 50 percent"));
  CHECK(message_of([] { parse_bound(Sense::at_most, "idle_ratio=100%"); }).empty());
  CHECK(message_of([] { parse_bound(Sense::at_most, "kernel_concurrency=7"); }).empty());
  CHECK(complaint_of_min("overlap_ratio=1").empty());
  CHECK(complaint_of_min("kernel_concurrency=7").empty());
  CHECK_THAT(message_of([] { parse_bound(Sense::at_most, "wall=-5ms"); }), Containing("negative"));
}

TEST_CASE("of what is never negative, a minimum of 0 and a negative maximum are refused") {
  for (const auto& some : {measures(), measures_of_some()}) {
    for (const Measure* measure : some) {
      INFO(measure->name);
      const std::string unit = measure->unit == MeasureUnit::ns ? "ms" : "%";
      const auto complaint = [&](Sense sense, const char* number) {
        return message_of([&] { parse_bound(*measure, sense, number + unit); });
      };
      const bool is_refused = !measure->can_be_negative;
      CHECK(complaint(Sense::at_least, "0").ends_with("is always met") == is_refused);
      CHECK(complaint(Sense::at_least, "-5").ends_with("is always met") == is_refused);
      CHECK(complaint(Sense::at_most, "-5").ends_with("cannot be met") == is_refused);
      CHECK(complaint(Sense::at_most, "0").empty());
      CHECK(complaint(Sense::at_least, "5").empty());
    }
  }
  for (const Measure* measure : {&overlap_ratio, &overlap_ratio_alone, &overlap_efficiency}) {
    CHECK(measure->can_be_negative);
  }
}

TEST_CASE("an unknown measure or cause is refused with the one that was meant") {
  CHECK_THAT(complaint_of_min("copy_hiden=0.5"), Containing("did you mean 'copy_hidden'"));
  CHECK_THAT(complaint_of_min("overlap=0.5"), !Containing("did you mean"));
  CHECK_THAT(complaint_of_min("xyzzy=0.5"), Containing("overlap_ratio, overlap_ratio_alone"));
  CHECK_THAT(message_of([] { parse_ban("default_stream_barier"); }),
             Containing("did you mean 'default-stream-barrier'"));
  for (const char* code :
       {"launch-latency", "host-call", "profiler", "not-issued", "unexplained"}) {
    CHECK_THAT(message_of([code] { parse_ban(code); }), Containing("is never a finding"));
  }
  CHECK_THAT(message_of([] { parse_compared("sum"); }), Containing("neither better nor worse"));
}

TEST_CASE("a cause may be forbidden from a cost on") {
  CHECK_FALSE(parse_ban("event-wait").allowed);
  CHECK(parse_ban("event-wait=0%").allowed == 0);
  CHECK(parse_ban("event-wait").cause == Cause::event_wait);
  CHECK(parse_ban("event-wait=2%").allowed == 0.02);
  CHECK_THAT(message_of([] { parse_ban("event-wait=-2%"); }), Containing("is not a share"));
  CHECK_THAT(message_of([] { parse_ban("event-wait=2ms"); }), Containing("is not a share"));
  CHECK_THAT(message_of([] { parse_ban("event-wait=50"); }), Containing("50 percent are"));
}

TEST_CASE("a tolerance is relative, of ratios or of times, by its unit") {
  Tolerance tolerance;
  add_tolerance(tolerance, "5%");
  add_tolerance(tolerance, "0.02");
  add_tolerance(tolerance, "200us");
  CHECK(tolerance.relative == 0.05);
  CHECK(tolerance.ratio == 0.02);
  CHECK(tolerance.ns == 200'000);
  CHECK_THAT(message_of([&] { add_tolerance(tolerance, "-1%"); }), Containing("negative"));
  CHECK_THAT(message_of([&] { add_tolerance(tolerance, "5"); }), Containing("5 percent are 5%"));
}

TEST_CASE("of several tolerances of a kind the largest applies, in any order") {
  Tolerance tolerance;
  for (const char* text : {"1%", "50%", "2%", "0.01", "0.2", "0.02", "1us", "3us", "2us"}) {
    add_tolerance(tolerance, text);
  }
  CHECK(tolerance.relative == 0.5);
  CHECK(tolerance.ratio == 0.2);
  CHECK(tolerance.ns == 3'000);
}

TEST_CASE("a tolerance, and a bound, that allows everything is none") {
  Tolerance tolerance;
  for (const char* text : {"101%", "1", "1.5", "1e30s", "86401s"}) {
    INFO(text);
    CHECK_FALSE(message_of([&] { add_tolerance(tolerance, text); }).empty());
  }
  for (const char* text : {"0x1", "0x1%", "inf", "nan", "1e400%", ""}) {
    INFO(text);
    CHECK_THAT(message_of([&] { add_tolerance(tolerance, text); }), Containing("is not a number"));
  }
  add_tolerance(tolerance, "100%");
  add_tolerance(tolerance, "0.99");
  add_tolerance(tolerance, "86400s");
  CHECK(tolerance.relative == 1);
  CHECK(tolerance.ratio == 0.99);
  CHECK_THAT(message_of([] { parse_bound(wall, Sense::at_most, "1e30s"); }),
             Containing("is always met"));
  CHECK_THAT(message_of([] { parse_bound(wall, Sense::at_least, "1e30s"); }),
             Containing("cannot be met"));
}

TEST_CASE("only what a run may lack can be allowed") {
  CHECK(parse_allowance("cut-off") == "cut-off");
  CHECK_THAT(message_of([] { parse_allowance("cut_off"); }), Containing("did you mean 'cut-off'"));
  CHECK_THAT(message_of([] { parse_allowance("dropped-records"); }),
             Containing("cut-off, still-running, yielded and same-run"));
}

TEST_CASE("a gate without conditions, or with contradictory ones, is none") {
  Gate gate;
  CHECK_THAT(check_gate(gate)->sentence, Containing("no condition"));
  gate.bounds = {parse_bound(Sense::at_least, "copy_hidden=0.8"),
                 parse_bound(Sense::at_most, "copy_hidden=0.5")};
  CHECK_THAT(check_gate(gate)->sentence, Containing("contradict") && Containing("copy_hidden"));
  gate.bounds[1].value = 0.8;
  CHECK_FALSE(check_gate(gate));
}

TEST_CASE("a waiver needs a condition that is demanded") {
  Gate gate;
  gate.bounds = {parse_bound(Sense::at_least, "copy_hidden=0.8")};
  gate.baseline.emplace();
  gate.bans.push_back(parse_ban("event-wait"));
  for (const char* condition : {"min copy_hidden", "forbid event-wait", "baseline wall"}) {
    gate.waivers = {{condition, "why", {}, {}}};
    CHECK_FALSE(check_gate(gate));
  }
  gate.waivers = {{"max copy_hidden", "why", {}, {}}};
  CHECK_THAT(check_gate(gate)->sentence, Containing("did you mean 'min copy_hidden'"));
}

}  // namespace
}  // namespace lapscope::analyzer
