#include <fstream>
#include <sstream>
#include <thread>

#include "collector/schema/capture_facts.h"
#include "tests/catch.h"
#include "tests/collector/inject/armed_run.h"

namespace lapscope::inject {
namespace {

using test::ArmedRun;
using test::Finished;

// Returns the CPU time of a process until now, in clock ticks.
long cpu_ticks(const std::string& process) {
  std::ifstream file("/proc/" + process + "/stat");
  std::string line;
  std::getline(file, line);
  std::istringstream fields(line.substr(line.rfind(')') + 1));
  std::string skipped;
  for (int i = 0; i < 11; ++i) fields >> skipped;
  long user = 0;
  long system = 0;
  fields >> user >> system;
  return user + system;
}

TEST_CASE("a capture can have only its last part", "[end-to-end]") {
  ArmedRun run({"nvtx", "init", "work=1", "done", "next", "work=20000", "range=pause:1500",
                "work=2", "range=checkpoint", "done", "next", "work=1", "exit=0"});
  REQUIRE(run.is_ready());
  const Finished started = run.ctl({"start", "--keep", "1s", "--until-range", "checkpoint"});
  CHECK(started.exit_status == 0);
  CHECK(started.out.find("keeps the last 1000 ms, ends when a range 'checkpoint' begins") !=
        std::string::npos);
  REQUIRE(run.goes_on());
  CHECK(test::eventually([&] { return run.says("1 captured until now"); }));
  run.go_on();
  CHECK(run.end().exit_status == 0);
  CHECK(run.ops("t.1.sqlite") == 4);
  const auto stretches = run.rows<schema::StretchRow>("t.1.sqlite");
  REQUIRE(stretches.size() == 1);
  CHECK(stretches[0].endedBy == "NVTX range checkpoint");
  REQUIRE(stretches[0].end.has_value());
  CHECK(*stretches[0].end - stretches[0].start >= 900'000'000);
  CHECK(*stretches[0].end - stretches[0].start <= 1'001'000'000);
  CHECK(run.rows<schema::NvtxRow>("t.1.sqlite").size() == 1);  // the last work
  CHECK(run.trace("t.1.sqlite").query_int64("SELECT count(*) FROM LAPSCOPE_LOSSES").value_or(0) ==
        0);
}

TEST_CASE("a slow iteration ends a capture that keeps its last part", "[end-to-end]") {
  std::vector<std::string> steps{"init", "work=1", "range=step", "range=step", "done", "next"};
  steps.insert(steps.end(), 17, "range=step");
  for (const char* const step :
       {"work=3", "done", "next", "range=step:100", "done", "next", "work=1", "exit=0"}) {
    steps.emplace_back(step);
  }
  ArmedRun run(steps);
  REQUIRE(run.is_ready());
  const Finished started = run.ctl({"start", "--keep", "60s", "--when-slower", "20"});
  CHECK(started.exit_status == 0);
  CHECK(started.out.find("captures") != std::string::npos);
  CHECK(started.out.find("ends after a slow iteration of 'step'; 0 are compared") !=
        std::string::npos);
  REQUIRE(run.goes_on());
  CHECK(run.says("17 are compared"));
  CHECK(run.captures());
  REQUIRE(run.goes_on());
  CHECK(test::eventually([&] { return run.says("1 captured until now"); }));
  run.go_on();
  CHECK(run.end().exit_status == 0);
  CHECK(run.ops("t.1.sqlite") == 6);
  CHECK(run.rows<schema::StretchRow>("t.1.sqlite").at(0).endedBy == "slow iteration");
  CHECK(run.rows<schema::UnrecordedIterationRow>("t.1.sqlite").size() == 2);
}

//   event     record   wait   record        (each is delivered in a separate batch)
TEST_CASE("kept events keep their order", "[end-to-end]") {
  ArmedRun run({"init", "work=1", "done", "next", "work=1", "make-event=9", "record-event=9",
                "range=pause:50", "wait-for-event=9", "range=pause:50", "record-event=9", "work=1",
                "done", "next", "exit=0"});
  REQUIRE(run.is_ready());
  CHECK(run.ctl({"start", "--keep", "60s"}).exit_status == 0);
  REQUIRE(run.goes_on());
  CHECK(run.ctl({"stop"}).exit_status == 0);
  run.go_on();
  CHECK(run.end().exit_status == 0);
  const auto records = run.rows<schema::CudaEventRow>("t.1.sqlite");
  const auto waits = run.rows<schema::SynchronizationRow>("t.1.sqlite");
  REQUIRE(records.size() == 2);
  REQUIRE(waits.size() == 1);
  CHECK(records[0].eventSyncId != records[1].eventSyncId);
  CHECK(waits[0].eventSyncId == records[0].eventSyncId);
}

TEST_CASE("a program that ends leaves the last part of its capture", "[end-to-end]") {
  ArmedRun run({"init", "work=1", "done", "next", "work=3", "exit=5"});
  REQUIRE(run.is_ready());
  CHECK(run.ctl({"start", "--keep", "60s"}).exit_status == 0);
  run.go_on();
  CHECK(run.end().exit_status == 5);
  CHECK(run.ops("t.1.sqlite") == 6);
  CHECK(run.trace("t.1.sqlite")
            .query_text("SELECT value FROM LAPSCOPE_CAPTURE WHERE name = 'recording'") ==
        "complete");
}

TEST_CASE("each capture chooses whether it is light", "[end-to-end]") {
  std::vector<std::string> steps{"init", "work=1"};
  for (int capture = 0; capture < 3; ++capture) {
    for (const char* const step :
         {"done", "next", "work=3", "make-event=9", "record-event=9", "wait-for-event=9"}) {
      steps.emplace_back(step);
    }
  }
  for (const char* const step : {"done", "next", "exit=0"}) steps.emplace_back(step);
  ArmedRun run(steps);
  REQUIRE(run.is_ready());
  for (const bool is_light : {true, false, true}) {
    std::vector<std::string> words{"start"};
    if (is_light) words.emplace_back("--light");
    CHECK(run.ctl(words).exit_status == 0);
    REQUIRE(run.goes_on());
    CHECK(run.ctl({"stop"}).exit_status == 0);
  }
  run.go_on();
  CHECK(run.end().exit_status == 0);
  for (const char* const name : {"t.1.sqlite", "t.2.sqlite", "t.3.sqlite"}) {
    INFO(name);
    const bool is_light = std::string(name) != "t.2.sqlite";
    CHECK(run.ops(name) == 6);
    CHECK(run.rows<schema::ApiCallRow>(name).size() >= run.ops(name));
    CHECK(run.rows<schema::CudaEventRow>(name).empty() == is_light);
    CHECK(run.rows<schema::SynchronizationRow>(name).empty() == is_light);
    CHECK(run.rows<schema::CallchainRow>(name).empty() == is_light);
    const std::string options =
        run.trace(name)
            .query_text("SELECT value FROM LAPSCOPE_CAPTURE WHERE name = 'record-options'")
            .value_or("");
    CHECK((options.find("--light") != std::string::npos) == is_light);
  }
}

TEST_CASE("a light capture after a full one needs no processor while the program waits",
          "[end-to-end]") {
  ArmedRun run({"init", "work=1", "done", "next", "exit=0"});
  REQUIRE(run.is_ready());
  CHECK(run.ctl({"start"}).exit_status == 0);
  // In these 500 ms, the collector flushes and updates the budgets of call stacks at least once.
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  CHECK(run.ctl({"stop"}).exit_status == 0);
  CHECK(run.ctl({"start", "--light"}).exit_status == 0);
  const std::string status = run.ctl({"status"}).out;
  const std::string process = status.substr(0, status.find_first_not_of("0123456789"));
  CAPTURE(status);
  REQUIRE(!process.empty());
  const long before = cpu_ticks(process);
  std::this_thread::sleep_for(std::chrono::seconds(1));
  CHECK(cpu_ticks(process) - before < ::sysconf(_SC_CLK_TCK) / 4);
  run.go_on();
  CHECK(run.end().exit_status == 0);
}

}  // namespace
}  // namespace lapscope::inject
