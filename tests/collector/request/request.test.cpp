#include <set>

#include "collector/request/request.h"
#include "tests/catch.h"

namespace lapscope::request {
namespace {

using std::chrono::milliseconds;

bool same(const Request& a, const Request& b) {
  for (const GroupText& group : groups()) {
    if (a.wants(group.group) != b.wants(group.group)) return false;
  }
  return true;
}

TEST_CASE("by default everything cheap is recorded and the rest must be asked for", "[request]") {
  const Request request;
  CHECK(request.wants(Group::always));
  CHECK(request.wants(Group::nvtx));
  CHECK(request.wants(Group::callbacks));
  CHECK_FALSE(request.wants(Group::memory));
  CHECK_FALSE(request.wants(Group::graph_level));
  CHECK_FALSE(request.wants(Group::unified_memory));
  CHECK_FALSE(request.wants(Group::latency));
  CHECK(request.text().empty());
}

TEST_CASE("a request says what differs from the default", "[request]") {
  Request request;
  request.set(Group::nvtx, false);
  request.set(Group::latency, true);
  CHECK(request.text() == "-nvtx,+latency");
  request.set(Group::nvtx, true);
  CHECK(request.text() == "+latency");
}

TEST_CASE("the host is looked at where call stacks are captured, unless it is said otherwise",
          "[request]") {
  Request request;
  CHECK(request.wanted_host_samples() == Request::usual_host_samples);
  request.stacks = Stacks::off;
  CHECK(request.wanted_host_samples() == 0);
  request.host_samples = 50;
  CHECK(request.wanted_host_samples() == 50);
  CHECK(Request::from_text(request.text()).host_samples == 50U);
  request.host_samples = 0;
  CHECK(Request::from_text(request.text()).host_samples == 0U);
  CHECK(request.arguments() ==
        std::vector<std::string>{"--stacks", "off", "--host-samples", "off"});
}

TEST_CASE("a rate of samples is a number that can be kept, or off", "[request]") {
  CHECK(host_samples_of("off") == 0U);
  CHECK(host_samples_of("100") == 100U);
  for (const char* text : {"", "0", "-1", "1001", "ten", "10 "}) {
    CHECK_FALSE(host_samples_of(text).has_value());
  }
}

TEST_CASE("every choice of groups survives the way through a text", "[request]") {
  const std::size_t count = groups().size();
  for (std::uint32_t choice = 0; choice < (1U << count); ++choice) {
    Request request;
    for (std::size_t i = 0; i < count; ++i) {
      request.set(groups()[i].group, (choice >> i & 1U) != 0);
    }
    if (!same(Request::from_text(request.text()), request)) FAIL(request.text());
  }
}

TEST_CASE("a light recording has what measures need", "[request]") {
  Request request;
  request.set(Group::light, true);
  CHECK(request.text() == "+light");
  CHECK(request.arguments() == std::vector<std::string>{"--light"});
  for (const Group kept : {Group::always, Group::nvtx, Group::overhead, Group::links}) {
    CHECK(request.wants(kept));
  }
  for (const Group left_out : {Group::driver_calls, Group::synchronization, Group::events,
                               Group::callbacks, Group::memory}) {
    CHECK_FALSE(request.wants(left_out));
  }
}

TEST_CASE("all calls bring back what is left out to be cheap", "[request]") {
  Request request;
  for (const Group left_out :
       {Group::memory, Group::event_times, Group::launch_attributes, Group::compilation}) {
    CHECK_FALSE(request.wants(left_out));
  }
  request.set(Group::all_calls, true);
  for (const Group added :
       {Group::memory, Group::event_times, Group::launch_attributes, Group::compilation}) {
    CHECK(request.wants(added));
  }
  CHECK_FALSE(request.wants(Group::unified_memory));
  CHECK(request.text() == "+all-calls");
}

TEST_CASE("what is said of a group counts, and a preset for the others", "[request]") {
  Request request;
  request.set(Group::events, true);
  request.set(Group::light, true);
  CHECK(request.wants(Group::events));
  CHECK_FALSE(request.wants(Group::synchronization));
  CHECK(request.text() == "+light,+events");
  CHECK(same(Request::from_text(request.text()), request));
}

TEST_CASE("what a request of another version asks for is passed over", "[request]") {
  Request expected;
  expected.set(Group::events, false);
  for (const char* text : {"-events,+something", "-nothing,-events", ",,-events,", "-events,-"}) {
    INFO(text);
    CHECK(same(Request::from_text(text), expected));
  }
  CHECK(same(Request::from_text(""), Request()));
}

TEST_CASE("yielding survives the way through a text", "[request]") {
  Request request;
  request.yields_to_app = true;
  CHECK(Request::from_text(request.text()).yields_to_app);
  request.set(Group::nvtx, false);
  CHECK(request.text() == "-nvtx,yield");
  CHECK(Request::from_text(request.text()).yields_to_app);
  CHECK_FALSE(Request::from_text(request.text()).wants(Group::nvtx));
  CHECK_FALSE(Request::from_text("").yields_to_app);
}

TEST_CASE("what is always recorded cannot be left out", "[request]") {
  Request request;
  request.set(Group::always, false);
  CHECK(request.wants(Group::always));
}

TEST_CASE("every group has a name of its own and says what it is", "[request]") {
  std::set<std::string_view> names;
  std::set<Group> seen;
  for (const GroupText& group : groups()) {
    CHECK(names.insert(group.name).second);
    CHECK(seen.insert(group.group).second);
    CHECK(group.name.find_first_of(" ,+") == std::string_view::npos);
    CHECK_FALSE(group.what.empty());
  }
}

TEST_CASE("what was asked for is told in the options that ask for it", "[request]") {
  Request request;
  CHECK(request.arguments().empty());
  request.set(Group::events, false);
  request.set(Group::latency, true);
  request.yields_to_app = true;
  request.capture.delay = std::chrono::milliseconds(1020);
  request.capture.duration = std::chrono::milliseconds(500);
  request.capture.max_bytes = 1000;
  REQUIRE(request.capture.set_range("nvtx:a step"));
  CHECK(request.arguments() == std::vector<std::string>{"--no-events", "--latency",
                                                        "--yield-to-app", "--delay", "1.020",
                                                        "--duration", "0.500", "--max-size", "1000",
                                                        "--capture-range", "nvtx:a step"});
}

TEST_CASE("stacks are of findings unless the user says otherwise", "[request]") {
  Request request;
  CHECK(request.wanted_stacks() == Stacks::findings);
  request.set(Group::light, true);
  CHECK(request.wanted_stacks() == Stacks::off);
  request.stacks = Stacks::findings;
  CHECK(request.wanted_stacks() == Stacks::findings);
  CHECK(request.text() == "+light,stacks=findings");
  request.yields_to_app = true;  // without callbacks
  CHECK(request.wanted_stacks() == Stacks::off);
}

TEST_CASE("a choice of stacks survives the way through a text", "[request]") {
  for (const Stacks stacks : {Stacks::off, Stacks::findings, Stacks::all}) {
    for (const bool light : {false, true}) {
      Request request;
      request.set(Group::light, light);
      request.stacks = stacks;
      CHECK(Request::from_text(request.text()).wanted_stacks() == stacks);
    }
  }
  Request request;
  request.stacks = Stacks::all;
  CHECK(request.text() == "stacks=all");
  CHECK(request.arguments() == std::vector<std::string>{"--stacks", "all"});
  request.stacks = Stacks::findings;
  CHECK(request.arguments().empty());
  CHECK(Request::from_text("stacks=none").wanted_stacks() == Stacks::findings);
}

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
