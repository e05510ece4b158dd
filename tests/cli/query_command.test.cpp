#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "collector/schema/sqlite.h"
#include "tests/catch.h"
#include "tests/cli/support/run_command.h"
#include "tests/collector/support/temporary_folder.h"
#include "tests/support/json.h"

namespace lapscope::test {
namespace {

namespace fs = std::filesystem;

const fs::path asked_traces = LAPSCOPE_TEST_TRACES;

nlohmann::json answer(const fs::path& trace, const std::string& sql) {
  const CommandResult result = run_in_process({"query", trace, sql, "--format", "json"});
  INFO(trace << ": " << result.err);
  REQUIRE(result.status == 0);
  return parse_json(result.out);
}

std::int64_t number(const fs::path& trace, const std::string& sql) {
  return answer(trace, sql).at(0).begin()->get<std::int64_t>();
}

// Recordings with a graph launch, two devices, several threads, a signal at the end, and a fork.
const std::vector<std::string> various = {
    "pipeline-broken", "graph-chain-fixed", "peer-copies-broken", "multi-gpu-fan-out-fixed",
    "threads/ddp-0",   "oddities/killed",   "oddities/fork",      "frameworks/small_ops"};

TEST_CASE("views have the ops and calls that an analysis reads", "[query]") {
  for (const std::string& name : various) {
    const fs::path trace = asked_traces / (name + ".sqlite");
    for (const char* table : {"ops", "calls"}) {
      INFO(name << ", " << table);
      const CommandResult rows = run_in_process({"rows", trace, "--table", table});
      const auto head = parse_json(rows.out.substr(0, rows.out.find('\n')));
      CHECK(number(trace, std::string("SELECT count(*) FROM lapscope_") + table) == head["rows"]);
    }
  }
}

TEST_CASE("gaps and the time in which an op ran are all the time of a device", "[query]") {
  for (const std::string& name : various) {
    INFO(name);
    const fs::path trace = asked_traces / (name + ".sqlite");
    const auto ops = answer(trace,
                            "SELECT device_id, start_ns, end_ns FROM lapscope_ops "
                            "WHERE device_id = 0 ORDER BY start_ns");
    std::int64_t busy = 0;
    std::int64_t end = ops.at(0)["start_ns"];
    for (const auto& op : ops) {
      const std::int64_t ends = op["end_ns"];
      const std::int64_t starts = op["start_ns"];
      busy += std::max<std::int64_t>(0, ends - std::max(starts, end));
      end = std::max(end, ends);
    }
    const std::int64_t idle =
        number(trace, "SELECT total(duration_ns) + 0 FROM lapscope_gaps WHERE device_id = 0");
    CHECK(busy + idle == end - ops.at(0)["start_ns"].get<std::int64_t>());
  }
}

TEST_CASE("a folder is asked trace by trace", "[query]") {
  const TemporaryFolder folder;
  for (const char* name : {"pipeline-fixed", "pipeline-broken"}) {
    fs::copy_file(asked_traces / (std::string(name) + ".sqlite"),
                  folder / (std::string(name) + ".sqlite"));
  }
  const std::string sql =
      "SELECT kind, count(*) AS ops FROM lapscope_ops WHERE kind = 'copy' GROUP BY 1";
  const CommandResult result = run_lapscope({"query", folder.path(), sql});
  INFO(result.err);
  CHECK(result.out ==
        "trace                   kind  ops\n"
        "pipeline-broken.sqlite  copy   92\n"
        "pipeline-fixed.sqlite   copy   92\n");
  const auto few = parse_json(run_lapscope({"query", folder.path(), "SELECT 1 FROM lapscope_ops",
                                            "--max-rows", "3", "--format", "json"})
                                  .out);
  CHECK(few.size() == 6);
  const CommandResult csv = run_lapscope({"query", folder.path(), sql, "--format", "csv"});
  CHECK(csv.out.starts_with("trace,kind,ops\npipeline-broken.sqlite,copy,92\n"));
}

TEST_CASE("formats show NULL, numbers and texts, and obey none of these", "[query]") {
  const fs::path trace = asked_traces / "pipeline-broken.sqlite";
  const std::string sql =
      "SELECT NULL AS none, 1 AS one, 0.5 AS half, '::error::,\"x\"' AS text, char(27) AS control";
  const CommandResult text = run_lapscope({"query", trace, sql});
  CHECK(text.out ==
        "none  one  half  text           control\n"
        "        1   0.5  ?:error::,\"x\"  ?\n");
  const CommandResult csv = run_lapscope({"query", trace, sql, "--format", "csv"});
  CHECK(csv.out == "none,one,half,text,control\n,1,0.5,\"?:error::,\"\"x\"\"\",?\n");
  const auto json = answer(trace, sql);
  CHECK(json[0]["none"].is_null());
  CHECK(json[0]["half"] == 0.5);
  CHECK(json[0]["text"] == "?:error::,\"x\"");
  CHECK(answer(trace, "SELECT 1 AS one WHERE 0").empty());
}

TEST_CASE("what is asked of a trace cannot change it, nor another file", "[query]") {
  const TemporaryFolder folder;
  const fs::path trace = folder / "t.sqlite";
  fs::copy_file(asked_traces / "pipeline-broken.sqlite", trace);
  const std::string before = read_file(trace);
  for (const std::string& sql :
       {std::string("DELETE FROM StringIds"), "ATTACH '" + (folder / "other").string() + "' AS o",
        std::string("SELECT 1; DELETE FROM StringIds"), std::string("PRAGMA query_only = OFF"),
        std::string("SELECT readfile('/etc/passwd')"), std::string("SELECT load_extension('x')"),
        std::string("no SQL"), std::string(" ")}) {
    INFO(sql);
    const CommandResult result = run_lapscope({"query", trace, sql});
    CHECK(result.status == 4);
    CHECK(result.out.empty());
    CHECK_THAT(on_one_line(result.err), Containing("t.sqlite': the query failed: "));
  }
  CHECK(read_file(trace) == before);
  CHECK(folder.names() == std::vector<std::string>{"t.sqlite"});
}

TEST_CASE("what cannot be asked is a sentence", "[query]") {
  const TemporaryFolder folder;
  for (const std::string& file : {std::string("none.sqlite"), folder.path().string()}) {
    const CommandResult result = run_lapscope({"query", file, "SELECT 1"});
    CHECK(result.status == 4);
    CHECK_THAT(result.err, Containing(file));
  }
  CHECK(run_lapscope({"query", asked_traces / "pipeline-broken.sqlite"}).status == 2);
}

TEST_CASE("a file that is no database is asked, too", "[query]") {
  const TemporaryFolder folder;
  std::ofstream(folder / "t.pt.trace.json") << R"({"schemaVersion": 1, "traceEvents": [
    {"ph": "X", "cat": "kernel", "name": "scan", "pid": 0, "tid": 7, "ts": 10, "dur": 5,
     "args": {"device": 0, "context": 1, "stream": 7, "correlation": 3}},
    {"ph": "X", "cat": "kernel", "name": "scan", "pid": 0, "tid": 7, "ts": 30, "dur": 5,
     "args": {"device": 0, "context": 1, "stream": 7, "correlation": 4}}]})";
  const auto gaps =
      answer(folder / "t.pt.trace.json", "SELECT duration_ns, next_name FROM lapscope_gaps");
  REQUIRE(gaps.size() == 1);
  CHECK(gaps[0]["duration_ns"] == 15'000);
  CHECK(gaps[0]["next_name"] == "scan");
}

TEST_CASE("the rows of two traces are not mixed if their columns differ", "[query]") {
  const TemporaryFolder folder;
  for (const char* name : {"a.sqlite", "b.sqlite"}) {
    fs::copy_file(asked_traces / "pipeline-broken.sqlite", folder / name);
  }
  schema::Database(folder / "b.sqlite", schema::Database::Mode::read_write)
      .execute("ALTER TABLE NVTX_EVENTS ADD COLUMN more INTEGER");
  const CommandResult all = run_lapscope({"query", folder.path(), "SELECT * FROM NVTX_EVENTS"});
  CHECK(all.status == 4);
  CHECK(all.out.empty());
  CHECK_THAT(on_one_line(all.err),
             Containing("b.sqlite' has other columns than '") && Containing("Name the columns"));
  CHECK(run_lapscope({"query", folder.path(), "SELECT start FROM NVTX_EVENTS"}).status == 0);
}

TEST_CASE("JSON loses no column to another one of its name", "[query]") {
  const fs::path trace = asked_traces / "pipeline-broken.sqlite";
  const CommandResult json = run_lapscope({"query", trace, "SELECT 1 a, 2 a", "--format", "json"});
  CHECK(json.status == 4);
  CHECK_THAT(on_one_line(json.err), Containing("the name 'a'") && Containing("with AS"));
  CHECK(run_lapscope({"query", trace, "SELECT 1 a, 2 a", "--format", "csv"}).out == "a,a\n1,2\n");
}

TEST_CASE("a query tells that rows may be missing", "[query]") {
  const TemporaryFolder folder;
  std::string bytes = read_file(asked_traces / "sm-filling-kernels-fixed.sqlite");
  const std::size_t page = 4096 * (bytes.size() / 4096 - 1);
  std::swap(bytes[page + 8], bytes[page + 10]);
  std::swap(bytes[page + 9], bytes[page + 11]);
  std::ofstream(folder / "t.sqlite", std::ios::binary) << bytes;
  const CommandResult damaged = run_lapscope({"query", folder / "t.sqlite", "SELECT 1"});
  CHECK(damaged.status == 0);
  CHECK_THAT(on_one_line(damaged.err), Containing("The file is damaged"));
}

TEST_CASE("a trace that is written now has the views inside", "[query]") {
  const TemporaryFolder folder;
  const std::string copy = folder / "copy.sqlite";
  REQUIRE(run_lapscope({"convert", asked_traces / "pipeline-broken.sqlite", copy}).status == 0);
  auto database = schema::Database::immutable(copy);
  CHECK(database.query_int64("SELECT count(*) FROM lapscope_ops") ==
        number(copy, "SELECT count(*) FROM lapscope_ops"));
}

}  // namespace
}  // namespace lapscope::test
