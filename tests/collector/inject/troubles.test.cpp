#include "tests/catch.h"
#include "tests/collector/inject/recorded_run.h"

namespace lapscope::inject {
namespace {

using test::RecordedRun;

RecordedRun::Options with(const std::string& variable, const std::string& value) {
  return {.environment = {{variable, value}}, .cupti = LAPSCOPE_FAKE_CUPTI, .output = "t.sqlite"};
}

TEST_CASE("another CUPTI client is stated and does not disturb the program", "[end-to-end]") {
  if (!test::can_fake_cupti()) return;
  const std::string multiple_subscribers = "39";
  const RecordedRun run({"init", "say=going on", "work=10", "exit=7"},
                        with("FAKE_CUPTI_SUBSCRIBE_RESULT", multiple_subscribers));
  CHECK(run.exit_status() == 7);
  CHECK(run.out() == "going on\n");
  CHECK(run.fact("problem").value_or("").find("another CUPTI client") != std::string::npos);
  CHECK(run.says("another CUPTI client"));
  CHECK(run.rows<schema::KernelRow>().empty());
}

TEST_CASE("any other refusal is quoted by CUPTI's name", "[end-to-end]") {
  if (!test::can_fake_cupti()) return;
  const RecordedRun run({"init", "work=10", "exit=7"}, with("FAKE_CUPTI_SUBSCRIBE_RESULT", "35"));
  CHECK(run.exit_status() == 7);
  CHECK(run.fact("problem").value_or("").find("CUPTI_ERROR_INSUFFICIENT_PRIVILEGES") !=
        std::string::npos);
  CHECK(run.says("CUPTI_ERROR_INSUFFICIENT_PRIVILEGES"));
}

TEST_CASE("a libcupti that cannot be loaded is stated and does not disturb the program",
          "[end-to-end]") {
  const test::TemporaryFolder folder;
  test::write_file(folder / "libcupti.so.13", "nothing of the sort");
  const RecordedRun run(
      {"init", "nvtx", "say=going on", "exit=7"},
      {.environment = {}, .cupti = (folder / "libcupti.so.13").string(), .output = "t.sqlite"});
  CHECK(run.exit_status() == 7);
  CHECK(run.out() == "nvtx 0\ngoing on\n");
  CHECK(run.fact("problem").value_or("").find("libcupti could not be loaded") != std::string::npos);
  CHECK(run.says("libcupti could not be loaded"));
  CHECK(run.folder().names() == std::vector<std::string>{"t.sqlite"});
}

TEST_CASE("records that CUPTI dropped are stated", "[end-to-end]") {
  if (!test::can_fake_cupti()) return;
  const RecordedRun run({"init", "work=10", "exit=0"}, with("FAKE_CUPTI_DROPPED", "7"));
  const auto losses = run.rows<schema::LossRow>();
  REQUIRE(losses.size() == 1);
  CHECK(losses[0].code == "dropped-records");
  CHECK(losses[0].count == 7);
  CHECK(run.says("7 records lost"));
}

TEST_CASE("a libcupti without callbacks is stated and the rest is recorded", "[end-to-end]") {
  if (!test::can_fake_cupti()) return;
  const RecordedRun run({"init", "work=3", "host-function=13"},
                        with("FAKE_CUPTI_NO_CALLBACKS", "1"));
  CHECK(run.rows<schema::KernelRow>().size() == 3);
  CHECK_FALSE(run.trace().has_table("LAPSCOPE_HOST_FUNCS"));
  CHECK(run.trace().query_int64(
            "SELECT enableResult FROM LAPSCOPE_RECORDS WHERE name = 'HOST_FUNCS'") == 27);
}

TEST_CASE("a full disk is stated and does not disturb the program", "[end-to-end]") {
  if (!test::can_fake_cupti()) return;
  // Room for the first commit, not for the second.
  const RecordedRun run({"limit=1000000", "init", "work=100", "committed", "work=20000",
                         "committed", "say=going on", "exit=7"});
  CHECK(run.exit_status() == 7);
  CHECK(run.out() == "going on\n");
  CHECK(run.ops() == 200);
  const auto losses = run.rows<schema::LossRow>();
  REQUIRE(losses.size() == 1);
  CHECK(losses[0].code == "write-error");
  CHECK(losses[0].count >= 80'000);  // 20000 kernels and copies and their calls
  CHECK_FALSE(losses[0].detail.value_or("").empty());
  CHECK(run.says(std::to_string(losses[0].count) + " records lost"));
  CHECK(run.fact("recording") != "complete");
  CHECK(run.trace().query_text("PRAGMA integrity_check") == "ok");
}

TEST_CASE("a disk without room for a trace is stated and does not disturb the program",
          "[end-to-end]") {
  if (!test::can_fake_cupti()) return;
  // From no room for anything to room for the first facts. Less than the program itself prints
  // would stop the program.
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

}  // namespace
}  // namespace lapscope::inject
