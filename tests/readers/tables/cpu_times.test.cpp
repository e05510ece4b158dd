#include "readers/tables/read_host.h"

#include "collector/schema/global_id.h"
#include "tests/catch.h"
#include "tests/readers/read_written.h"

// A recording has readings of each thread's processor time. They show how long a thread was off its
// processor between two calls.
namespace lapscope::analyzer {
namespace {

using test::read_written;
using trace::TraceWriter;

struct Reading {
  std::int64_t time;
  std::int64_t on_cpu;
  std::uint32_t thread = 1;
};

// Returns the states of a thread with two calls and these readings of its processor time:
//
//   time     0        10                   50       60
//   thread 1 [launch   ]....................[launch  ]
std::vector<HostState> states(std::initializer_list<Reading> readings) {
  const Trace trace = read_written([&](TraceWriter& writer) {
    for (const std::int64_t start : {0, 50}) {
      schema::ApiCallRow row;
      row.start = start;
      row.end = start + 10;
      row.globalTid = schema::global_tid(7, 1);
      row.correlationId = start + 1;
      row.nameId = writer.intern("cudaLaunchKernel_v7000");
      writer.insert(row);
    }
    writer.insert(test::kernel(20, 30));
    for (const Reading& one : readings) {
      writer.insert(schema::CpuTimeRow{one.time, schema::global_tid(7, one.thread), one.on_cpu});
    }
    writer.commit();
  });
  return trace.host_states.empty() ? std::vector<HostState>() : trace.host_states.at(0);
}

TEST_CASE("a thread is off its processor for the time that its processor time does not cover") {
  struct Case {
    const char* what;
    std::initializer_list<Reading> readings;
    Interval off;
  };
  const Case cases[] = {
      // The pause lasts from 10 to 50 ns. In the pause, the thread ran for 15 ns of the 40 ns.
      {"from the begin to the end of the pause", {{10, 100}, {50, 115}}, {10, 35}},
      // Between the readings at 0 and 60 ns, the thread ran for 30 ns: for 10 ns in the first
      // launch, and for at most 20 ns in the pause. The pause lasts 40 ns, so the thread was off
      // its processor for at least 20 ns of it.
      {"from ahead of it to behind it", {{0, 100}, {60, 130}}, {10, 30}},
      {"from within the launch", {{6, 100}, {50, 130}}, {10, 24}},
      {"of part of it nothing is known", {{20, 100}, {50, 110}}, {20, 40}},
      {"a thread that ran all the time was never off it", {{10, 100}, {50, 140}}, {}},
      {"one reading says nothing", {{50, 115}}, {}},
      {"nor do readings of another thread", {{10, 100, 2}, {50, 100, 2}}, {}},
      {"nor a clock that went back", {{10, 100}, {50, 90}}, {}},
      {"nor readings in one call", {{1, 100}, {9, 100}}, {}},
      {"nor impossible ones", {{10, -100}, {50, 115}}, {}},
      {"readings may be in any order in the file", {{50, 115}, {10, 100}}, {10, 35}},
  };
  for (const Case& one : cases) {
    CAPTURE(one.what);
    const std::vector<HostState> found = states(one.readings);
    REQUIRE(found.size() == (one.off.length() > 0 ? 1 : 0));
    if (found.empty()) continue;
    CHECK(found[0].kind == HostState::Kind::not_running);
    CHECK(found[0].interval == one.off);
  }
}

//   pause     10 ------------------- 50
//   readings  R         R             R     the thread ran for 5 ns of 20, and then for 20 of 20
TEST_CASE("two readings in a pause give the time off the processor between them") {
  const std::vector<HostState> found = states({{10, 100}, {30, 105}, {50, 125}});
  REQUIRE(found.size() == 1);
  CHECK(found[0].interval == Interval{10, 25});
}

TEST_CASE("a trace without readings says nothing of processors") { CHECK(states({}).empty()); }

}  // namespace
}  // namespace lapscope::analyzer
