#include <unistd.h>

#include "collector/schema/capture_facts.h"
#include "tests/catch.h"
#include "tests/collector/inject/armed_run.h"

namespace lapscope::inject {
namespace {

using test::ArmedRun;
using test::Finished;

//   work   5       3        7       2
//   ctl        |start   |stop   |start    exit
//   traces     [ t.1    ]       [ t.2
TEST_CASE("an armed process has a trace for each capture, and no other rows", "[end-to-end]") {
  ArmedRun run({"nvtx", "init", "work=5", "done", "next", "work=3", "done", "next", "work=7",
                "done", "next", "work=2", "exit=4"});
  REQUIRE(run.is_ready());
  CHECK(run.names() == std::vector<std::string>{".lapscope"});
  const Finished started = run.ctl({"start"});
  CHECK(started.exit_status == 0);
  CHECK(started.out.find("captures") != std::string::npos);
  CHECK(started.out.find("t.1.sqlite") != std::string::npos);
  run.go_on();
  const Finished again = run.ctl({"start"});
  CHECK(again.exit_status == 3);
  CHECK(again.out.find("a capture runs already") != std::string::npos);
  REQUIRE(run.is_done());
  const Finished stopped = run.ctl({"stop"});
  CHECK(stopped.exit_status == 0);
  CHECK(stopped.out.find("1 captured until now, last") != std::string::npos);
  CHECK(run.ops("t.1.sqlite") == 6);
  REQUIRE(run.goes_on());
  CHECK(run.ctl({"start"}).exit_status == 0);
  run.go_on();
  const Finished ended = run.end();
  CHECK(ended.exit_status == 4);
  CHECK(ended.err.find("10 ops in ") != std::string::npos);
  CHECK(run.names() == std::vector<std::string>{"t.1.sqlite", "t.2.sqlite"});
  CHECK(run.ops("t.2.sqlite") == 4);
  for (const char* const name : {"t.1.sqlite", "t.2.sqlite"}) {
    INFO(name);
    // CUPTI reports the GPU once, before the first capture, but both traces have it.
    CHECK(run.rows<schema::GpuRow>(name).size() == 1);
    CHECK(run.rows<schema::ContextRow>(name).size() == 1);
    CHECK(run.rows<schema::StreamRow>(name).size() == 3);
    // Each op has a call.
    CHECK(run.rows<schema::ApiCallRow>(name).size() >= run.ops(name));
    const auto stretches = run.rows<schema::StretchRow>(name);
    REQUIRE(stretches.size() == 1);
    CHECK(stretches[0].begunBy == "lapscope ctl");
    CHECK(run.trace(name).query_text("SELECT value FROM LAPSCOPE_CAPTURE WHERE name = "
                                     "'recording'") == "complete");
    CHECK(run.trace(name).query_int64("SELECT count(*) FROM LAPSCOPE_LOSSES").value_or(0) == 0);
  }
  CHECK(run.rows<schema::StretchRow>("t.1.sqlite")[0].endedBy == "lapscope ctl");
}

TEST_CASE("a capture ends by itself after its time", "[end-to-end]") {
  ArmedRun run({"init", "work=1", "done", "next", "exit=0"});
  REQUIRE(run.is_ready());
  CHECK(run.ctl({"start", "--for", "50ms"}).exit_status == 0);
  CHECK(test::eventually([&] { return run.says("1 captured until now"); }));
  run.go_on();
  CHECK(run.end().exit_status == 0);
  const auto stretches = run.rows<schema::StretchRow>("t.1.sqlite");
  REQUIRE(stretches.size() == 1);
  CHECK(stretches[0].endedBy == "duration");
  REQUIRE(stretches[0].end.has_value());
  CHECK(*stretches[0].end - stretches[0].start >= 49'000'000);
}

TEST_CASE("a capture ends by itself when its trace is full, and the next one does not",
          "[end-to-end]") {
  ArmedRun run({"init", "work=1", "done", "next", "work=3", "done", "next", "work=2", "done",
                "next", "exit=0"},
               {"--max-size", "1"});
  REQUIRE(run.is_ready());
  CHECK(run.ctl({"start", "--for", "600s"}).exit_status == 0);
  run.go_on();
  CHECK(test::eventually([&] { return run.says("1 captured until now"); }));
  CHECK(run.ctl({"start"}).exit_status == 0);
  run.go_on();
  CHECK(test::eventually([&] { return run.says("2 captured until now"); }));
  run.go_on();
  CHECK(run.end().exit_status == 0);
  for (const char* const name : {"t.1.sqlite", "t.2.sqlite"}) {
    INFO(name);
    const auto stretches = run.rows<schema::StretchRow>(name);
    REQUIRE(stretches.size() == 1);
    CHECK(stretches[0].endedBy == "size of the trace");
  }
}

TEST_CASE("a capture begins and ends with an iteration", "[end-to-end]") {
  ArmedRun run({"init", "work=1", "done", "next", "range=step", "range=step", "done", "next",
                "range=step", "work=2", "range=step", "done", "next", "work=3", "exit=0"});
  REQUIRE(run.is_ready());
  const Finished waits = run.ctl({"start", "--from", "3", "--iterations", "2", "--range", "step"});
  CHECK(waits.exit_status == 0);
  CHECK(waits.out.find("armed, begins with iteration 3 of 'step'; 0 have begun\n") !=
        std::string::npos);
  const Finished again = run.ctl({"start"});
  CHECK(again.exit_status == 3);
  CHECK(again.out.find("waits for its first iteration already") != std::string::npos);
  REQUIRE(run.goes_on());
  CHECK(test::eventually([&] { return run.captures(); }));
  CHECK(run.says("ends with iteration 4 of 'step'; 2 have begun"));
  REQUIRE(run.goes_on());
  CHECK(test::eventually([&] { return run.says("1 captured until now"); }));
  CHECK_FALSE(run.says("of 'step'"));
  run.go_on();
  CHECK(run.end().exit_status == 0);
  CHECK(run.ops("t.1.sqlite") == 4);
  const auto stretches = run.rows<schema::StretchRow>("t.1.sqlite");
  REQUIRE(stretches.size() == 1);
  CHECK(stretches[0].begunBy == "lapscope ctl");
  CHECK(stretches[0].endedBy == "iterations");
}

//   step      |1| |2|                  |3|
//   ctl               |start --iterations 1
//   trace             [                  ]
TEST_CASE("without a range, the outermost loop has the iterations", "[end-to-end]") {
  ArmedRun run({"init", "work=1", "range=once", "range=step", "range=step", "done", "next",
                "work=1", "range=step", "done", "next", "exit=0"});
  REQUIRE(run.is_ready());
  const Finished started = run.ctl({"start", "--iterations", "1"});
  CHECK(started.exit_status == 0);
  CHECK(started.out.find("ends with iteration 3 of 'step'; 2 have begun") != std::string::npos);
  REQUIRE(run.goes_on());
  CHECK(test::eventually([&] { return run.says("1 captured until now"); }));
  const Finished late = run.ctl({"start", "--from", "3"});
  CHECK(late.exit_status == 3);
  CHECK(late.out.find("iteration 3 of 'step' is already over or running: 3 have begun") !=
        std::string::npos);
  run.go_on();
  CHECK(run.end().exit_status == 0);
  CHECK(run.ops("t.1.sqlite") == 2);
}

TEST_CASE("a capture ends when a range begins", "[end-to-end]") {
  ArmedRun run({"init", "work=1", "range=step", "range=step", "done", "next", "work=1",
                "range=checkpoint", "done", "next", "work=1", "exit=0"});
  REQUIRE(run.is_ready());
  const Finished started = run.ctl({"start", "--until-range", "checkpoint"});
  CHECK(started.exit_status == 0);
  CHECK(started.out.find("ends when a range 'checkpoint' begins") != std::string::npos);
  REQUIRE(run.goes_on());
  CHECK(test::eventually([&] { return run.says("1 captured until now"); }));
  run.go_on();
  CHECK(run.end().exit_status == 0);
  CHECK(run.ops("t.1.sqlite") == 2);
  CHECK(run.rows<schema::StretchRow>("t.1.sqlite").at(0).endedBy == "NVTX range checkpoint");
  const auto before = run.rows<schema::UnrecordedIterationRow>("t.1.sqlite");
  REQUIRE(before.size() == 2);
  CHECK(before[0].range == "step");
  CHECK(before[1].iteration == 2);
  CHECK(before[0].ns >= 2'000'000);
}

TEST_CASE("a capture begins after a slow iteration", "[end-to-end]") {
  std::vector<std::string> steps{"init", "work=1"};
  steps.insert(steps.end(), 17, "range=step");
  for (const char* const step :
       {"done", "next", "range=step", "done", "next", "range=step:100", "done", "next",
        "range=step", "work=1", "range=step", "range=step", "done", "next", "exit=0"}) {
    steps.emplace_back(step);
  }
  ArmedRun run(steps);
  REQUIRE(run.is_ready());
  const Finished waits = run.ctl({"start", "--when-slower", "20", "--iterations", "2"});
  CHECK(waits.exit_status == 0);
  CHECK(waits.out.find("armed, begins after a slow iteration of 'step'; 17 are compared") !=
        std::string::npos);
  REQUIRE(run.goes_on());
  CHECK_FALSE(run.captures());
  REQUIRE(run.goes_on());
  CHECK(test::eventually([&] { return run.captures(); }));
  REQUIRE(run.goes_on());
  CHECK(test::eventually([&] { return run.says("1 captured until now"); }));
  run.go_on();
  CHECK(run.end().exit_status == 0);
  CHECK(run.ops("t.1.sqlite") == 2);
  // The capture begins after a slow iteration, so the recorded iterations are not typical. To
  // compare them with earlier iterations would not show the time that recording adds. So the trace
  // has no times of earlier iterations.
  CHECK(run.rows<schema::UnrecordedIterationRow>("t.1.sqlite").empty());
}

TEST_CASE("a command in a file reaches processes that no socket reaches", "[end-to-end]") {
  ArmedRun run({"init", "work=1", "done", "next", "work=2", "done", "next", "exit=0"});
  REQUIRE(run.is_ready());
  const Finished written = run.ctl({"start", "--all-machines"});
  CHECK(written.exit_status == 0);
  CHECK(written.out.find(".lapscope/command: armed processes") != std::string::npos);
  CHECK(test::eventually([&] { return run.captures(); }));
  REQUIRE(run.goes_on());
  CHECK(run.ctl({"start", "--all-machines"}).exit_status == 0);
  CHECK(test::eventually([&] { return run.says("file was refused: a capture runs already"); }));
  CHECK(run.ctl({"status"}).exit_status == 0);
  CHECK(run.ctl({"stop", "--all-machines"}).exit_status == 0);
  CHECK(test::eventually([&] { return run.says("1 captured until now"); }));
  run.go_on();
  CHECK(run.end().exit_status == 0);
  CHECK(run.ops("t.1.sqlite") == 4);
  CHECK(run.names() == std::vector<std::string>{"t.1.sqlite"});
}

TEST_CASE("a capture that waits for an iteration can be stopped", "[end-to-end]") {
  ArmedRun run({"init", "work=1", "done", "next", "range=step", "range=step", "done", "next",
                "work=1", "exit=0"});
  REQUIRE(run.is_ready());
  const Finished unknown = run.ctl({"start", "--iterations", "2"});
  CHECK(unknown.exit_status == 3);
  CHECK(unknown.out.find("no NVTX range has begun twice") != std::string::npos);
  CHECK(run.ctl({"start", "--from", "2", "--range", "step"}).exit_status == 0);
  const Finished stopped = run.ctl({"stop"});
  CHECK(stopped.exit_status == 0);
  CHECK(stopped.out.find("armed\n") != std::string::npos);
  REQUIRE(run.goes_on());
  CHECK_FALSE(run.captures());
  run.go_on();
  CHECK(run.end().exit_status == 0);
  CHECK(run.names().empty());
}

//   work      ####    records arrive when the last op has ended, or after a forced flush at 2 s
//   ctl             |stop
TEST_CASE("the records before the end of a capture are waited for", "[end-to-end]") {
  for (const char* const flushes : {"run=30", "run=1000000"}) {
    INFO(flushes);
    ArmedRun run({"init", "work=1", "done", "next", "work=3", flushes, "done", "next", "exit=0"});
    REQUIRE(run.is_ready());
    CHECK(run.ctl({"start"}).exit_status == 0);
    REQUIRE(run.goes_on());
    const Finished stopped = run.ctl({"stop"});
    INFO(stopped.out << stopped.err);
    CHECK(stopped.exit_status == 0);
    CHECK(run.ops("t.1.sqlite") == 6);
    run.go_on();
    CHECK(run.end().exit_status == 0);
  }
}

TEST_CASE("what is never captured leaves nothing", "[end-to-end]") {
  ArmedRun run({"init", "work=5", "done", "next", "exit=3"});
  REQUIRE(run.is_ready());
  CHECK(run.ctl({"stop"}).exit_status == 0);
  run.go_on();
  const Finished ended = run.end();
  CHECK(ended.exit_status == 3);
  CHECK(ended.err.find("`lapscope ctl` began no capture") != std::string::npos);
  CHECK(run.names().empty());
}

TEST_CASE("of a process that has used no GPU a capture leaves nothing", "[end-to-end]") {
  ArmedRun run({"init", "done", "next", "exit=0"});
  REQUIRE(run.is_ready());
  CHECK(run.ctl({"start"}).exit_status == 0);
  const Finished stopped = run.ctl({"stop"});
  CHECK(stopped.exit_status == 0);
  CHECK(stopped.out.find("1 captured until now, last without GPU work") != std::string::npos);
  run.go_on();
  CHECK(run.end().exit_status == 0);
  CHECK(run.names().empty());
}

TEST_CASE("a child that is forked while a capture runs neither writes nor answers",
          "[end-to-end]") {
  ArmedRun run({"init", "work=1", "done", "next", "work=1", "fork-exit", "fork-quick-exit", "done",
                "next", "exit=0"});
  REQUIRE(run.is_ready());
  CHECK(run.ctl({"start"}).exit_status == 0);
  REQUIRE(run.goes_on());
  CHECK(run.captures());
  CHECK(run.ctl({"stop"}).exit_status == 0);
  run.go_on();
  CHECK(run.end().exit_status == 0);
  CHECK(run.names() == std::vector<std::string>{"t.1.sqlite"});
  CHECK(run.ops("t.1.sqlite") == 2);
}

TEST_CASE("a process that is killed in a capture leaves what was committed", "[end-to-end]") {
  ArmedRun run({"init", "work=1", "done", "next", "work=4", "committed", "raise=9"});
  REQUIRE(run.is_ready());
  CHECK(run.ctl({"start"}).exit_status == 0);
  run.go_on();
  CHECK(run.end().exit_status == 128 + 9);
  CHECK(run.ops("t.1.sqlite") == 8);
  const Finished asked = run.ctl({"status"});
  CHECK(asked.exit_status == 4);
  CHECK(asked.err.find("no armed process") != std::string::npos);
}

TEST_CASE("many captures leave no thread and no descriptor behind", "[end-to-end]") {
  ArmedRun run(
      {"init", "work=1", "done", "next", "say-growth", "done", "next", "say-growth", "exit=0"});
  REQUIRE(run.is_ready());
  const auto capture = [&run] {
    CHECK(run.ctl({"start"}).exit_status == 0);
    CHECK(run.ctl({"stop"}).exit_status == 0);
  };
  capture();
  REQUIRE(run.goes_on());
  for (int i = 0; i < 5; ++i) capture();
  run.go_on();
  const Finished ended = run.end();
  CHECK(ended.out.find("descriptors +0, threads +0\n") != std::string::npos);
  CHECK(ended.out.rfind("descriptors +0, threads +0\n") !=
        ended.out.find("descriptors +0, threads +0\n"));
  CHECK(run.names().size() == 6);
  CHECK(ended.err.find(": 6 traces in '") != std::string::npos);
}

TEST_CASE("options that say when to capture do not go with --armed", "[end-to-end]") {
  const test::TemporaryFolder folder;
  const Finished refused = test::run({LAPSCOPE_COMMAND, "record", "--armed", "--delay", "1", "-o",
                                      (folder / "t.sqlite").string(), "--", "/bin/true"});
  CHECK(refused.exit_status == 2);
  CHECK(refused.err.find("--armed") != std::string::npos);
  const Finished unknown = test::run({LAPSCOPE_COMMAND, "ctl", folder.path().string(), "begin"});
  CHECK(unknown.exit_status == 2);
  CHECK(unknown.err.find("start,stop,status") != std::string::npos);
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"stop", "--iterations", "2"},
           {"start", "--iterations", "0"},
           {"start", "--range", "step"},
           {"start", "--until-range", "a\tb"},
           {"start", "--all-machines", "--from", "5"},
           {"start", "--iterations", "2", "--until-range", "step"},
           {"start", "--keep", "5s", "--iterations", "2"},
           {"start", "--keep", "90s"},
           {"stop", "--light"}}) {
    std::vector<std::string> command{LAPSCOPE_COMMAND, "ctl", folder.path().string()};
    command.insert(command.end(), words.begin(), words.end());
    INFO(words[1]);
    CHECK(test::run(command).exit_status == 2);
  }
  const Finished process =
      test::run({LAPSCOPE_COMMAND, "ctl", std::to_string(::getpid()), "start", "--all-machines"});
  CHECK(process.exit_status == 2);
  const Finished none =
      test::run({LAPSCOPE_COMMAND, "ctl", folder.path().string(), "start", "--all-machines"});
  CHECK(none.exit_status == 4);
  CHECK(folder.names().empty());
}

}  // namespace
}  // namespace lapscope::inject
