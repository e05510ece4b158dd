#include "tests/catch.h"
#include "tests/collector/inject/recorded_run.h"

// fake_cuda_program counts its descriptors and threads in /proc.
namespace lapscope::inject {
namespace {

using test::RecordedRun;

TEST_CASE("recording leaves no descriptor and no thread behind at exit", "[end-to-end]") {
  for (const char* ending : {"exit=0", "exit-in-thread=0"}) {
    INFO(ending);
    const RecordedRun run({"say-leaks-at-exit", "init", "work=100", "committed", ending});
    // A second thread that calls exit still exists while the exit handlers run.
    CHECK(run.out() == (std::string(ending) == "exit=0" ? "descriptors +0, threads +0\n"
                                                        : "descriptors +0, threads +1\n"));
    CHECK(run.ops() == 200);
  }
}

TEST_CASE("what is held while recording does not grow", "[end-to-end]") {
  const RecordedRun run({"init", "work=100", "committed", "say-growth", "repeat-work=100",
                         "committed", "fork-quick-exit", "work=1000", "committed", "say-growth"});
  CHECK(run.out() == "descriptors +0, threads +0\ndescriptors +0, threads +0\n");
}

TEST_CASE("a trace that cannot be written is not held either", "[end-to-end]") {
  const RecordedRun run({"say-leaks-at-exit", "read-only-folder", "init", "work=100", "committed"});
  CHECK(run.out() == "descriptors +0, threads +0\n");
}

}  // namespace
}  // namespace lapscope::inject
