#include <algorithm>

#include "tests/catch.h"
#include "tests/collector/inject/recorded_run.h"

// `record --bare` runs the program alternately with and without the collector.
namespace lapscope::inject {
namespace {

using schema::RunRow;
using test::RecordedRun;

std::vector<RunRow> of_range(const std::vector<RunRow>& rows, std::optional<std::string> range) {
  std::vector<RunRow> found;
  std::ranges::copy_if(rows, std::back_inserter(found),
                       [&range](const RunRow& row) { return row.range == range; });
  return found;
}

TEST_CASE("recorded and bare runs take turns, and the trace tells of all", "[end-to-end]") {
  const RecordedRun run(
      {"init", "range=work", "range=work", "work=1", "work=1", "say=done", "exit=5"},
      {.options = {"--bare", "2"}});
  CHECK(run.exit_status() == 5);
  CHECK(run.out() == "done\ndone\ndone\ndone\n");
  CHECK(run.says("exit statuses of recorded runs: 5, 5; of bare runs: 5, 5"));
  CHECK(run.ops() == 4);  // the ops of one run
  const auto rows = run.rows<RunRow>();
  const auto whole = of_range(rows, std::nullopt);
  REQUIRE(whole.size() == 4);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    CHECK(whole[i].run == static_cast<std::int64_t>(i) + 1);
    CHECK(whole[i].isRecorded == (i % 2 == 0 ? 1 : 0));
    CHECK(whole[i].exitStatus == 5);
    CHECK(whole[i].count == 1);
    CHECK(whole[i].ns > 0);
  }
  const auto ranges = of_range(rows, "work");
  REQUIRE(ranges.size() == 4);
  for (const RunRow& row : ranges) {
    CHECK(row.count == 2);
    // Recorded ranges have synthetic times, which are too short for this check.
    if (row.isRecorded == 0) CHECK(row.ns >= 4'000'000);
  }
  const auto kept =
      run.trace().query_int64("SELECT sum(end - start) FROM NVTX_EVENTS WHERE end IS NOT NULL");
  CHECK(kept == std::min(ranges[0].ns, ranges[2].ns));
}

TEST_CASE("the trace of the recorded run that took the median is kept, and no other",
          "[end-to-end]") {
  const RecordedRun run({"init", "range=work", "work=1", "exit=0"}, {.options = {"--bare", "5"}});
  std::vector<std::int64_t> took;
  for (const RunRow& row : of_range(run.rows<RunRow>(), "work")) {
    if (row.isRecorded == 1) took.push_back(row.ns);
  }
  REQUIRE(took.size() == 5);
  std::ranges::sort(took);
  CHECK(run.trace().query_int64("SELECT sum(end - start) FROM NVTX_EVENTS WHERE end IS NOT NULL") ==
        took[2]);
  CHECK(run.folder().names() == std::vector<std::string>{"t.sqlite"});
}

TEST_CASE("the traces of a folder are those of one recorded run", "[end-to-end]") {
  const RecordedRun run({"init", "work=1", "exit=0"},
                        {.output = "traces/", .options = {"--bare", "3"}});
  std::size_t traces = 0;
  std::size_t manifests = 0;
  for (const auto& entry : std::filesystem::directory_iterator(run.folder() / "traces")) {
    (entry.path().extension() == ".json" ? manifests : traces) += 1;
  }
  CHECK(traces == 1);
  CHECK(manifests == 1);
}

TEST_CASE("a run that a signal ends is the last one", "[end-to-end]") {
  const RecordedRun run({"init", "work=1", "committed", "raise=15"}, {.options = {"--bare", "3"}});
  CHECK(run.exit_status() == 143);
  CHECK(run.says("exit statuses of recorded runs: 143; of bare runs: none"));
  CHECK(of_range(run.rows<RunRow>(), std::nullopt).size() == 1);
}

TEST_CASE("without --bare a trace tells of no runs", "[end-to-end]") {
  const RecordedRun run({"init", "work=1", "exit=0"});
  CHECK_FALSE(run.trace().has_table("LAPSCOPE_RUNS"));
}

}  // namespace
}  // namespace lapscope::inject
