#include "tests/catch.h"
#include "tests/collector/inject/recorded_run.h"

namespace lapscope::inject {
namespace {

using test::RecordedRun;

RecordedRun::Options with(const std::string& variable, const std::string& value) {
  return {.environment = {{variable, value}}, .cupti = LAPSCOPE_FAKE_CUPTI, .output = "t.sqlite"};
}

TEST_CASE("another CUPTI client is stated and does not disturb the program", "[end-to-end]") {
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
  const RecordedRun run({"init", "work=10", "exit=0"}, with("FAKE_CUPTI_DROPPED", "7"));
  const auto losses = run.rows<schema::LossRow>();
  REQUIRE(losses.size() == 1);
  CHECK(losses[0].code == "dropped-records");
  CHECK(losses[0].count == 7);
  CHECK(run.says("7 records lost"));
}

//   buffer   [unknown][kernel]..   or   [kernel]..[unknown][kernel]..
TEST_CASE("a record that cannot be decoded is a loss wherever it stands", "[end-to-end]") {
  for (const bool is_first : {true, false}) {
    INFO(is_first);
    std::vector<std::string> steps{"init", "work=3", "garbled-work=3", "exit=7"};
    if (is_first) steps.erase(steps.begin() + 1);
    const RecordedRun run(steps);
    CHECK(run.exit_status() == 7);
    const auto losses = run.rows<schema::LossRow>();
    REQUIRE(losses.size() == 1);
    CHECK(losses[0].code == "decode-error");
    CHECK(run.ops() == (is_first ? 0 : 6));
  }
}

TEST_CASE("a libcupti without callbacks is stated and the rest is recorded", "[end-to-end]") {
  const RecordedRun run({"init", "work=3", "host-function=13"},
                        with("FAKE_CUPTI_NO_CALLBACKS", "1"));
  CHECK(run.rows<schema::KernelRow>().size() == 3);
  CHECK_FALSE(run.trace().has_table("LAPSCOPE_HOST_FUNCS"));
  CHECK(run.trace().query_int64(
            "SELECT enableResult FROM LAPSCOPE_RECORDS WHERE name = 'HOST_FUNCS'") == 27);
}

}  // namespace
}  // namespace lapscope::inject
