#include <algorithm>
#include <map>
#include <sstream>

#include "collector/schema/sqlite.h"
#include "tests/catch.h"
#include "tests/cli/support/run_command.h"
#include "tests/support/json.h"

namespace lapscope::test {
namespace {

using nlohmann::json;

const std::string stored = LAPSCOPE_TEST_TRACES "/";
const std::string listed_run = stored + "pipeline-broken.sqlite";

json stats_of(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"stats", "--format", "json"});
  const CommandResult result = run_lapscope(arguments);
  INFO(result.err);
  REQUIRE(result.status == 0);
  return parse_json(result.out);
}

// Runs an SQL query on the trace and returns the resulting rows.
std::map<std::string, std::vector<std::int64_t>> counted(const std::string& sql) {
  schema::Database database(listed_run, schema::Database::Mode::read_only);
  schema::Statement rows(database, sql);
  std::map<std::string, std::vector<std::int64_t>> result;
  while (rows.step()) {
    auto& row = result[std::string(rows.text(0))];
    for (int column = 1; column <= 4; ++column) row.push_back(rows.int64(column));
  }
  return result;
}

TEST_CASE("the tables of a whole run are what the database counts") {
  const json scope = stats_of({"--whole", listed_run})["scopes"].at(0);
  CHECK(scope["kind"] == "device");
  const auto kernels = counted(
      "SELECT value, COUNT(*), SUM(end - start), MIN(end - start), MAX(end - start) FROM "
      "CUPTI_ACTIVITY_KIND_KERNEL JOIN StringIds ON id = shortName GROUP BY value");
  REQUIRE(scope["kernels"].size() == kernels.size());
  double shares = 0;
  for (const json& row : scope["kernels"]) {
    const std::vector<std::int64_t>& expected = kernels.at(row["name"]);
    CHECK(row["count"] == expected[0]);
    CHECK(row["total_ns"] == expected[1]);
    CHECK(row["min_ns"] == expected[2]);
    CHECK(row["max_ns"] == expected[3]);
    shares += row["share"].get<double>();
  }
  CHECK(shares == Approx(1));
  const auto copies = counted(
      "SELECT copyKind, COUNT(*), SUM(end - start), SUM(bytes), 0 FROM CUPTI_ACTIVITY_KIND_MEMCPY "
      "GROUP BY copyKind");
  std::int64_t bytes = 0;
  for (const auto& [kind, row] : copies) bytes += row[2];
  std::int64_t listed = 0;
  for (const json& row : scope["copies"]) {
    if (row["name"] != "memset") listed += row["bytes"].get<std::int64_t>();
  }
  CHECK(listed == bytes);
}

TEST_CASE("the scope is the one that analyze shows, or what is asked for") {
  CHECK(stats_of({listed_run})["scopes"].at(0)["kind"] == "steady");
  CHECK(stats_of({listed_run})["scopes"].at(0)["kernels"].at(0)["count"] == 12);
  CHECK(stats_of({"--range", "pipeline", listed_run})["scopes"].at(0)["kind"] == "nvtx");
  CHECK(stats_of({"--window", "76", "77", listed_run})["scopes"].at(0)["kind"] == "window");
  CHECK(stats_of({stored + "nccl-all-reduce-broken.sqlite"})["scopes"].size() == 1);
}

TEST_CASE("one table or several are listed, and others are not") {
  const json scope = stats_of({"--table", "calls", listed_run})["scopes"].at(0);
  CHECK(scope.contains("calls"));
  CHECK_FALSE(scope.contains("kernels"));
  CHECK(stats_of({"--table", "kernels,copies", listed_run})["scopes"].at(0).contains("copies"));
  CHECK(run_lapscope({"stats", "--table", "wings", listed_run}).status == 2);
}

TEST_CASE("text has a title and the tables, and cuts names unless asked for all") {
  const std::string pytorch = stored + "frameworks/read_loss.sqlite";
  const CommandResult cut = run_lapscope({"stats", pytorch}, {{"COLUMNS", "120"}});
  const CommandResult full = run_lapscope({"stats", "-v", pytorch});
  CHECK(cut.out.find("device 0 (NVIDIA H200), steady state, ") != std::string::npos);
  for (const char* const table : {"\nkernels\n", "\ncopies\n", "\ncalls\n"}) {
    CHECK(cut.out.find(table) != std::string::npos);
  }
  CHECK(full.out.size() > cut.out.size());
  CHECK(cut.out.find("cudaLaunchKernel") != std::string::npos);
}

TEST_CASE("CSV has one head, a row for each name, and is what analyze writes, too") {
  const CommandResult stats = run_lapscope({"stats", "--format", "csv", listed_run, listed_run});
  CHECK(stats.status == 0);
  std::istringstream lines(stats.out);
  std::string line;
  std::getline(lines, line);
  CHECK(line.starts_with("trace,scope_kind,scope,table,device,share,total_ns,count,"));
  const auto columns = std::count(line.begin(), line.end(), ',');
  std::size_t rows = 0;
  for (; std::getline(lines, line); ++rows) {
    CHECK(std::count(line.begin(), line.end(), ',') == columns);  // no name contains a comma
  }
  CHECK(rows == 2 * (1 + 2 + 4));
  CHECK(run_lapscope({"analyze", "--format", "csv", listed_run}).out ==
        run_lapscope({"stats", "--format", "csv", listed_run}).out);
}

TEST_CASE("stats: a range that is not there has no tables, and the reason is said") {
  const CommandResult csv =
      run_lapscope({"stats", listed_run, "--range", "nosuch", "--format", "csv"});
  CHECK(csv.status == 3);
  CHECK(std::count(csv.out.begin(), csv.out.end(), '\n') == 1);  // the head
  CHECK_THAT(on_one_line(csv.err), Containing("No NVTX range that fits 'nosuch' caused GPU work."));
  const CommandResult one = run_lapscope(
      {"stats", listed_run, "--range", "nosuch", "--range", "pipeline", "--format", "json"});
  CHECK(parse_json(one.out)["scopes"].size() == 1);
}

TEST_CASE("stats: what cannot be read is status 4, and a window without work 3") {
  CHECK(run_lapscope({"stats", "/none.sqlite"}).status == 4);
  CHECK(run_lapscope({"stats", listed_run, "--window", "1", "2"}).status == 3);
  CHECK(run_lapscope({"stats"}).status == 2);
}

}  // namespace
}  // namespace lapscope::test
