#include "tests/catch.h"
#include "tests/collector/inject/recorded_run.h"

// Recordings whose file cannot be written.
namespace lapscope::inject {
namespace {

using test::RecordedRun;

TEST_CASE("a full disk is stated and does not disturb the program", "[end-to-end]") {
  // The limit has room for the first commit, but not for the second.
  const RecordedRun run({"limit=1000000", "init", "work=100", "committed", "work=20000",
                         "committed", "say=going on", "exit=7"});
  CHECK(run.exit_status() == 7);
  CHECK(run.out() == "going on\n");
  CHECK(run.ops() == 200);
  const auto losses = run.rows<schema::LossRow>();
  REQUIRE(losses.size() == 1);
  CHECK(losses[0].code == "write-error");
  CHECK(losses[0].count >= 80'000);  // 20000 kernels, 20000 copies and their calls
  CHECK_FALSE(losses[0].detail.value_or("").empty());
  CHECK(run.says(std::to_string(losses[0].count) + " records lost"));
  CHECK(run.fact("recording") != "complete");
  CHECK(run.trace().query_text("PRAGMA integrity_check") == "ok");
}

// The collector cannot act on SIGKILL. It must write losses into the trace before this signal.
TEST_CASE("a full disk is stated even when the program is killed", "[end-to-end]") {
  const RecordedRun run(
      {"limit=1000000", "init", "work=100", "committed", "work=20000", "committed", "raise=9"});
  CHECK(run.exit_status() == 137);
  const auto losses = run.rows<schema::LossRow>();
  REQUIRE(losses.size() == 1);
  CHECK(losses[0].code == "write-error");
  CHECK(losses[0].count >= 80'000);
  CHECK(run.fact("recording") == "failed");
  CHECK(run.says(" records lost"));
  CHECK_FALSE(run.says(" 0 records lost"));
}

TEST_CASE("wherever a disk gets full, it is stated", "[end-to-end]") {
  int failed = 0;
  for (int limit = 200'000; limit <= 1'100'000; limit += 60'000) {
    INFO(limit);
    const RecordedRun run({"limit=" + std::to_string(limit), "init", "work=100", "committed",
                           "work=400", "committed", "exit=0"});
    INFO(run.err());
    CHECK(run.exit_status() == 0);
    if (run.folder().names().empty()) {
      CHECK(run.says("could not be written"));
      continue;
    }
    const bool is_whole = run.fact("recording") == "complete" && run.ops() == 1000;
    // There may be room for all ops, but not for the rows at the end of the recording.
    CHECK((run.ops() == 1000) == run.says(" 0 records lost"));
    CHECK((is_whole || run.fact("recording") == "failed"));
    CHECK((is_whole || run.says("could not be written")));
    CHECK((is_whole || run.rows<schema::LossRow>().size() == 1));
    if (!is_whole) ++failed;
  }
  CHECK(failed > 3);
}

TEST_CASE("a disk without room for a trace is stated and does not disturb the program",
          "[end-to-end]") {
  // The smallest limit has no room for a trace, the largest has room for the first facts. All have
  // room for the program's output.
  for (const char* limit : {"limit=100", "limit=5000", "limit=20000", "limit=60000"}) {
    INFO(limit);
    const RecordedRun run({limit, "init", "work=1000", "committed", "say=going on", "exit=7"});
    CHECK(run.exit_status() == 7);
    CHECK(run.out() == "going on\n");
    INFO(run.err());
    const bool states_losses = run.says(" records lost") && !run.says(" 0 records lost");
    CHECK((run.says("could not be written") || states_losses));
  }
}

TEST_CASE("if the trace is removed during the run, a message says so and the program goes on",
          "[end-to-end]") {
  const RecordedRun run({"init", "work=10", "committed", "remove-trace", "work=10", "committed",
                         "work=10", "say=going on", "exit=7"});
  CHECK(run.exit_status() == 7);
  CHECK(run.out() == "going on\n");
  CHECK(run.says("removed or renamed while the program ran, and all its records are lost"));
  CHECK(run.folder().names().empty());
}

TEST_CASE("a message says that the trace was removed, even if the program is killed",
          "[end-to-end]") {
  const RecordedRun run(
      {"init", "work=10", "committed", "remove-trace", "work=10", "committed", "raise=9"});
  CHECK(run.exit_status() == 137);
  CHECK(run.says("removed or renamed while the program ran"));
}

TEST_CASE("a file that takes the place of the trace is left alone", "[end-to-end]") {
  const RecordedRun run(
      {"init", "work=10", "committed", "replace-trace=another", "work=10", "committed", "exit=7"});
  CHECK(run.exit_status() == 7);
  CHECK(run.says("removed or renamed while the program ran"));
  CHECK(test::read_file(run.folder() / "t.sqlite") == "another");
}

TEST_CASE("if the folder becomes read-only, a message says so and the program goes on",
          "[end-to-end]") {
  const RecordedRun run(
      {"read-only-folder", "init", "work=10", "committed", "say=going on", "exit=7"});
  CHECK(run.exit_status() == 7);
  CHECK(run.out() == "going on\n");
  CHECK(run.says("could not be written: "));
  CHECK(run.says("Permission denied"));
  CHECK(run.folder().names().empty());
}

// program    work  |  work .... work  |            exit
// disk             blocked            unblocked
// collector          |- one write ----|- the rest -|
TEST_CASE("a disk that does not answer delays no launch and loses no record", "[end-to-end]") {
  const RecordedRun run({"init", "work=10", "committed", "block-disk", "work=10",
                         "await-blocked-write", "repeat-work=50", "work=5000", "unblock-disk",
                         "exit=7"});
  CHECK(run.exit_status() == 7);
  CHECK(run.ops() == 2 * (10 + 10 + 50 + 5000));
  CHECK(run.fact("recording") == "complete");
  CHECK(run.says(" 0 records lost"));
}

}  // namespace
}  // namespace lapscope::inject
