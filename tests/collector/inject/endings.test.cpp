#include <signal.h>

#include "tests/catch.h"
#include "tests/collector/inject/recorded_run.h"

namespace lapscope::inject {
namespace {

using test::RecordedRun;

TEST_CASE("every orderly end leaves a complete trace", "[end-to-end]") {
  for (const char* ending : {"exit=5", "quick-exit=5", "exit-in-thread=5"}) {
    INFO(ending);
    const RecordedRun run({"init", "work=10", ending});
    CHECK(run.exit_status() == 5);
    CHECK(run.ops() == 20);
    CHECK(run.fact("recording") == "complete");
    CHECK(run.fact("exit-status") == "5");
    CHECK(run.folder().names() == std::vector<std::string>{"t.sqlite"});
  }
}

TEST_CASE("returning from main leaves a complete trace", "[end-to-end]") {
  const RecordedRun run({"init", "work=10"});
  CHECK(run.exit_status() == 0);
  CHECK(run.ops() == 20);
  CHECK(run.fact("recording") == "complete");
}

TEST_CASE("a program that skips exit handlers leaves what was committed", "[end-to-end]") {
  const RecordedRun run({"init", "work=10", "committed", "_exit=3"});
  CHECK(run.exit_status() == 3);
  CHECK(run.ops() == 20);
  CHECK(run.fact("recording") == "cut-off");
  CHECK(run.fact("exit-status") == "3");
  CHECK(run.folder().names() == std::vector<std::string>{"t.sqlite"});
  CHECK(run.says("20 ops in "));
  CHECK(run.says("the last moments are missing"));
}

TEST_CASE("a program that is killed or crashes leaves what was committed", "[end-to-end]") {
  for (const int signal : {SIGKILL, SIGSEGV, SIGABRT, SIGTERM}) {
    INFO(signal);
    const RecordedRun run({"init", "work=10", "committed", "raise=" + std::to_string(signal)});
    CHECK(run.exit_status() == 128 + signal);
    CHECK(run.ops() == 20);
    CHECK(run.fact("recording") == "cut-off");
    CHECK(run.fact("exit-status") == std::to_string(128 + signal));
    CHECK(run.trace().query_text("PRAGMA integrity_check") == "ok");
    CHECK(run.folder().names() == std::vector<std::string>{"t.sqlite"});
  }
}

TEST_CASE("a program that is killed before anything was committed leaves no half trace",
          "[end-to-end]") {
  const RecordedRun run({"init", "raise=9"});
  CHECK(run.exit_status() == 137);
  CHECK(run.folder().names().empty());
}

TEST_CASE("a program that only initialises CUDA leaves no trace", "[end-to-end]") {
  const RecordedRun run({"init", "exit=0"});
  CHECK(run.exit_status() == 0);
  CHECK(run.folder().names().empty());
  CHECK(run.says("nothing was recorded"));
}

TEST_CASE("a program without CUDA is not disturbed", "[end-to-end]") {
  const RecordedRun run({"say=hello", "exit=4"});
  CHECK(run.exit_status() == 4);
  CHECK(run.out() == "hello\n");
  CHECK(run.folder().names().empty());
  CHECK(run.says("did not use CUDA"));
}

TEST_CASE("the program's own output stays untouched", "[end-to-end]") {
  const RecordedRun run({"say=before", "init", "work=10", "committed", "say=after", "exit=0"});
  CHECK(run.out() == "before\nafter\n");
  CHECK(run.err().starts_with("lapscope: "));
  CHECK(run.err().find('\n') == run.err().size() - 1);  // one line
}

TEST_CASE("initialising twice records once", "[end-to-end]") {
  const RecordedRun run({"init", "init", "work=10", "init", "exit=0"});
  CHECK(run.ops() == 20);
  CHECK(run.rows<schema::ProcessRow>().size() == 1);
  CHECK(run.folder().names() == std::vector<std::string>{"t.sqlite"});
}

}  // namespace
}  // namespace lapscope::inject
