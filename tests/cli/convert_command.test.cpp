#include <zlib.h>

#include <filesystem>

#include "collector/schema/sqlite.h"
#include "tests/catch.h"
#include "tests/cli/support/run_command.h"
#include "tests/collector/support/temporary_folder.h"
#include "tests/support/json.h"

// A converted trace must give the same results as its source.
namespace lapscope::test {
namespace {

namespace fs = std::filesystem;
using schema::Database;

nlohmann::json analysis_of(const std::string& file) {
  const CommandResult result = run_lapscope({"analyze", "--format", "json", file});
  INFO(file << ": " << result.err);
  REQUIRE((result.status == 0 || result.status == 3));
  auto json = parse_json(result.out);
  json["trace"].erase("file");
  return json;
}

void check_conversion(const std::string& file) {
  const TemporaryFolder folder;
  const std::string out = folder / "out.sqlite";
  const CommandResult converted = run_lapscope({"convert", file, out});
  INFO(file << ": " << converted.err);
  REQUIRE(converted.status == 0);
  CHECK(converted.out.empty());
  CHECK(folder.names() == std::vector<std::string>{"out.sqlite"});
  const auto expected = analysis_of(file);
  CHECK(analysis_of(out) == expected);
  // Converts the converted trace again.
  const CommandResult again = run_lapscope({"convert", out, folder / "again.sqlite"});
  INFO(again.err);
  REQUIRE(again.status == 0);
  CHECK(analysis_of(folder / "again.sqlite") == expected);
}

std::string recorded(const std::string& name) {
  return std::string(LAPSCOPE_TEST_TRACES "/") + name + ".sqlite";
}

// Copies a trace and removes the records that Nsight Systems does not export.
void make_export(const fs::path& path, const std::string& version, const std::string& more) {
  fs::copy_file(recorded("event-fan-in-fixed"), path);
  Database database(path, Database::Mode::read_write);
  std::string drops;
  schema::Statement tables(database, "SELECT name FROM sqlite_master WHERE name LIKE 'LAPSCOPE%'");
  while (tables.step()) drops += "DROP TABLE " + std::string(tables.text(0)) + ";";
  tables = schema::Statement(database, "SELECT 1");
  for (const char* table : {"KERNEL", "MEMCPY", "MEMSET"}) {
    if (!database.has_table(std::string("CUPTI_ACTIVITY_KIND_") + table)) continue;
    for (const char* column : {"channelId", "channelType"}) {
      drops +=
          std::string("ALTER TABLE CUPTI_ACTIVITY_KIND_") + table + " DROP COLUMN " + column + ";";
    }
  }
  database.execute(drops + "PRAGMA application_id = 0; PRAGMA user_version = 0;" +
                   "UPDATE META_DATA_EXPORT SET value = '" + version +
                   "' WHERE name = 'EXPORT_SCHEMA_VERSION';" +
                   "CREATE TABLE TARGET_INFO_SYSTEM_ENV (name TEXT, value TEXT);" +
                   "INSERT INTO TARGET_INFO_SYSTEM_ENV VALUES ('TOKEN', 'secret');" + more);
}

const std::string kineto =
    R"J({"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "Some GPU",
  "computeMajor": 9, "computeMinor": 0, "maxThreadsPerMultiprocessor": 2048,
  "regsPerMultiprocessor": 65536, "warpSize": 32, "sharedMemPerMultiprocessor": 233472,
  "numSms": 132}], "baseTimeNanoseconds": 1767189312000000000, "distributedInfo": {"rank": 3},
  "traceEvents": [
  {"ph": "X", "cat": "user_annotation", "name": "step", "pid": 9, "tid": 9, "ts": 90.5, "dur": 99},
  {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 9, "tid": 9, "ts": 100.125,
   "dur": 5, "args": {"cbid": 211, "correlation": 1}},
  {"ph": "X", "cat": "cuda_runtime", "name": "cudaMemcpyAsync", "pid": 9, "tid": 9, "ts": 106,
   "dur": 5, "args": {"cbid": 41, "correlation": 2}},
  {"ph": "X", "cat": "kernel", "name": "void k<int>(int*)", "pid": 0, "tid": 7, "ts": 110.25,
   "dur": 20.5, "args": {"device": 0, "context": 1, "stream": 7, "correlation": 1,
   "registers per thread": 32, "shared memory": 0, "grid": [64, 1, 1], "block": [128, 1, 1]}},
  {"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy DtoH (Device -> Pinned)", "pid": 0, "tid": 13,
   "ts": 140, "dur": 8, "args": {"device": 0, "context": 1, "stream": 13, "correlation": 2,
   "bytes": 4096}}]})J";

TEST_CASE("a recorded trace and its conversion have one result", "[convert]") {
  for (const char* name :
       {"stream_pipeline-overlapped", "default-stream-kernel-broken", "event-fan-in-fixed",
        "graph-chain-fixed", "graph-callback-fixed", "peer-copies-fixed", "pageable-copy-broken",
        "lazy-loading-broken", "nccl-all-reduce-fixed", "oddities/killed", "oddities/bare-runs",
        "oddities/pytorch-step", "oddities/threads", "oddities/graph"}) {
    check_conversion(recorded(name));
  }
}

TEST_CASE("an export of Nsight Systems and its conversion have one result", "[convert]") {
  const TemporaryFolder folder;
  make_export(folder / "new.sqlite", "3.24.14", "");
  check_conversion(folder / "new.sqlite");
  CHECK(analysis_of(folder / "new.sqlite")["trace"]["format"] == "nsys/3.24.14");
  // An older release has fewer columns and tables.
  make_export(folder / "old.sqlite", "2.7.1",
              "ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL DROP COLUMN registersPerThread;"
              "ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL DROP COLUMN graphNodeId;"
              "DROP TABLE TARGET_INFO_GPU; DROP TABLE TARGET_INFO_CUDA_STREAM;"
              "DELETE FROM CUPTI_ACTIVITY_KIND_MEMCPY;");
  check_conversion(folder / "old.sqlite");
}

TEST_CASE("a report of Nsight Systems is converted by way of the nsys on PATH", "[convert]") {
  const TemporaryFolder folder;
  make_export(folder / "export.sqlite", "3.24.14", "");
  write_file(folder / "run.nsys-rep", "a report");
  write_file(folder / "nsys", "#!/bin/sh\ncp " + (folder / "export.sqlite").string() + " \"$5\"\n");
  fs::permissions(folder / "nsys", fs::perms::owner_all);
  const std::string path = folder.path().string() + ":/bin:/usr/bin";
  const CommandResult converted =
      run_lapscope({"convert", folder / "run.nsys-rep", folder / "out.sqlite"}, {{"PATH", path}});
  INFO(converted.err);
  REQUIRE(converted.status == 0);
  CHECK(analysis_of(folder / "out.sqlite") == analysis_of(folder / "export.sqlite"));
  const CommandResult without = run_lapscope(
      {"convert", folder / "run.nsys-rep", folder / "none.sqlite"}, {{"PATH", "/none"}});
  CHECK(without.status == 4);
  CHECK(without.err.find("nsys export --type sqlite") != std::string::npos);
  CHECK_FALSE(fs::exists(folder / "none.sqlite"));
}

TEST_CASE("a conversion has nothing of the program's environment", "[convert]") {
  const TemporaryFolder folder;
  make_export(folder / "new.sqlite", "3.24.14", "");
  REQUIRE(run_lapscope({"convert", folder / "new.sqlite", folder / "out.sqlite"}).status == 0);
  CHECK(read_file(folder / "out.sqlite").find("secret") == std::string::npos);
}

TEST_CASE("JSON of PyTorch's profiler and its conversion have one result", "[convert]") {
  const TemporaryFolder folder;
  write_file(folder / "t.pt.trace.json", kineto);
  check_conversion(folder / "t.pt.trace.json");
  const auto plain = analysis_of(folder / "t.pt.trace.json");
  CHECK(plain["trace"]["format"] == "kineto/1");
  CHECK(plain["trace"]["rank"] == "3");
  CHECK(plain["devices"][0]["ops"] == 2);
  CHECK(plain["devices"][0]["measures"]["wall"]["value"] == 37'750);
  CHECK(plain["devices"][0]["measures"]["busy"]["value"] == 28'500);
  gzFile file = gzopen((folder / "t.json.gz").c_str(), "wb");
  gzwrite(file, kineto.data(), static_cast<unsigned>(kineto.size()));
  gzclose(file);
  CHECK(analysis_of(folder / "t.json.gz") == plain);
}

TEST_CASE("every command takes JSON of PyTorch's profiler", "[convert]") {
  const TemporaryFolder folder;
  const std::string json = folder / "t.json";
  write_file(json, kineto);
  write_file(folder / "u.json", kineto);
  const std::vector<std::vector<std::string>> commands = {
      {"report", json, "-o", folder / "r.html"},
      {"report", json, "-o", folder / "r.perfetto-trace"},
      {"whatif", json, "--scale", "d2h=2"},
      {"diff", json, folder / "u.json"},
      {"gate", json, "--min-overlap", "-10"},
      {"summarize", json, "-o", folder / "s.json"},
      {"gate", json, "--baseline", folder / "s.json", "--compare", "wall"}};
  for (const auto& command : commands) {
    const CommandResult result = run_lapscope(command);
    INFO(command[0] << ": " << result.err);
    CHECK((result.status == 0 || result.status == 3));
  }
}

TEST_CASE("what cannot be converted leaves nothing behind", "[convert]") {
  const TemporaryFolder folder;
  write_file(folder / "chrome.json", R"J([{"ph": "X", "name": "a", "ts": 1, "dur": 2}])J");
  write_file(folder / "other.json", R"J({"traceEvents": [{"ph": "X", "ts": 1, "dur": 2}]})J");
  write_file(folder / "short.json", kineto.substr(0, kineto.size() - 40));
  write_file(folder / "text.txt", "no trace");
  const auto before = folder.names();
  for (const auto& [name, words] :
       {std::pair("chrome.json", "is a JSON list"),
        std::pair("other.json", "not of PyTorch's profiler"),
        std::pair("short.json", "is cut short"), std::pair("text.txt", "is not an SQLite database"),
        std::pair("none.json", "does not exist")}) {
    for (const bool converts : {true, false}) {
      const std::string file = folder / name;
      const CommandResult result = converts ? run_lapscope({"convert", file, folder / "out.sqlite"})
                                            : run_lapscope({"analyze", file});
      INFO(name);
      CHECK(result.status == 4);
      CHECK_THAT(on_one_line(result.err), Containing(words));
    }
  }
  CHECK(folder.names() == before);
}

TEST_CASE("a conversion replaces a file by --force only, when it is complete, and no input",
          "[convert]") {
  const TemporaryFolder folder;
  write_file(folder / "t.json", kineto);
  write_file(folder / "short.json", kineto.substr(0, kineto.size() - 40));
  write_file(folder / "out.sqlite", "before");
  const CommandResult refused = run_lapscope({"convert", folder / "t.json", folder / "out.sqlite"});
  CHECK(refused.status == 2);
  CHECK(refused.err.find("exists; --force replaces it") != std::string::npos);
  CHECK(read_file(folder / "out.sqlite") == "before");
  CHECK(run_lapscope({"convert", "--force", folder / "short.json", folder / "out.sqlite"}).status ==
        4);
  CHECK(read_file(folder / "out.sqlite") == "before");
  CHECK(run_lapscope({"convert", "--force", folder / "t.json", folder / "t.json"}).status == 2);
  CHECK(read_file(folder / "t.json") == kineto);
  CHECK(run_lapscope({"convert", "--force", folder / "t.json", folder / "out.sqlite"}).status == 0);
  CHECK(read_file(folder / "out.sqlite").starts_with("SQLite format 3"));
  CHECK(run_lapscope({"convert", folder / "t.json", folder / "none" / "out.sqlite"}).status == 4);
}

TEST_CASE("a conversion goes into regular files alone, and keeps their permissions", "[convert]") {
  const TemporaryFolder folder;
  write_file(folder / "t.json", kineto);
  CHECK(run_lapscope({"convert", folder / "t.json", "/dev/null"}).status == 4);
  CHECK_FALSE(fs::is_regular_file("/dev/null"));
  CHECK(run_lapscope({"convert", folder / "t.json", folder.path()}).status == 4);
  write_file(folder / "out.sqlite", "before");
  fs::permissions(folder / "out.sqlite", static_cast<fs::perms>(0640));
  fs::create_symlink("out.sqlite", folder / "link");
  REQUIRE(run_lapscope({"convert", "--force", folder / "t.json", folder / "link"}).status == 0);
  CHECK(fs::is_symlink(folder / "link"));
  CHECK(fs::status(folder / "out.sqlite").permissions() == static_cast<fs::perms>(0640));
  CHECK(read_file(folder / "out.sqlite").starts_with("SQLite format 3"));
  CHECK(folder.names() == std::vector<std::string>{"link", "out.sqlite", "t.json"});
}

TEST_CASE("no trace is made that would be refused", "[convert]") {
  const TemporaryFolder folder;
  std::string json = kineto;
  const std::size_t at = json.find("void k<int>(int*)");
  json.replace(at, 4, std::string(std::size_t{3} << 19, 'x'));
  write_file(folder / "long.json", json);
  fs::copy_file(recorded("pipeline-fixed"), folder / "long.sqlite");
  Database(folder / "long.sqlite", Database::Mode::read_write)
      .execute("UPDATE StringIds SET value = hex(zeroblob(600000)) WHERE id = 1");
  const auto before = folder.names();
  for (const char* name : {"long.json", "long.sqlite"}) {
    const CommandResult result = run_lapscope({"convert", folder / name, folder / "out.sqlite"});
    INFO(name);
    CHECK(result.status == 4);
    CHECK_THAT(on_one_line(result.err), Containing(name) && Containing("a name in StringIds has"));
  }
  CHECK(folder.names() == before);
}

TEST_CASE("JSON with a byte-order mark is converted as without", "[convert]") {
  const TemporaryFolder folder;
  write_file(folder / "plain.json", kineto);
  write_file(folder / "marked.json", "\xEF\xBB\xBF" + kineto);
  check_conversion(folder / "marked.json");
  CHECK(analysis_of(folder / "marked.json") == analysis_of(folder / "plain.json"));
}

TEST_CASE("a conversion without a name, or to standard output, is refused", "[convert]") {
  const TemporaryFolder folder;
  write_file(folder / "t.json", kineto);
  CHECK(run_lapscope({"convert", folder / "t.json", ""}).status == 2);
  CHECK(run_lapscope({"convert", "", folder / "out.sqlite"}).status == 2);
  CHECK(run_lapscope({"convert", folder / "t.json", "-"}).status == 4);
  CHECK(folder.names() == std::vector<std::string>{"t.json"});
}

TEST_CASE("a damaged trace is not converted", "[convert]") {
  const TemporaryFolder folder;
  std::string bytes = read_file(recorded("sm-filling-kernels-fixed"));
  for (std::size_t i = 0; i < 64; ++i) bytes[5 * 4096 + i] = '\x7F';
  write_file(folder / "t.sqlite", bytes);
  const CommandResult result =
      run_lapscope({"convert", folder / "t.sqlite", folder / "out.sqlite"});
  CHECK(result.status == 4);
  const CommandResult tables =
      run_lapscope({"convert", folder / "t.sqlite", folder / "out.parquet"});
  CHECK(tables.status == 4);
  CHECK_THAT(on_one_line(tables.err), Containing("is not converted. The file is damaged"));
  CHECK(folder.names() == std::vector<std::string>{"t.sqlite"});
}

TEST_CASE("a trace is too large for tables as for a trace", "[convert]") {
  const TemporaryFolder folder;
  for (const char* output : {"out.sqlite", "out.parquet"}) {
    const CommandResult result =
        run_lapscope({"convert", recorded("pipeline-fixed"), folder / output, "--max-ops", "10"});
    CHECK(result.status == 4);
    CHECK_THAT(on_one_line(result.err), Containing("is too large"));
  }
  CHECK(folder.names().empty());
}

TEST_CASE("tables of Parquet are a folder, which is there as a whole or not at all", "[convert]") {
  const TemporaryFolder folder;
  const std::string out = folder / "out.parquet";
  REQUIRE(run_lapscope({"convert", recorded("pipeline-broken"), out + "/"}).status == 0);
  for (const char* table : {"ops", "calls", "ranges", "gaps", "host_time"}) {
    INFO(table);
    CHECK(read_file(fs::path(out) / (std::string(table) + ".parquet")).starts_with("PAR1"));
  }
  const CommandResult again = run_lapscope({"convert", recorded("pipeline-broken"), out});
  CHECK(again.status == 2);
  CHECK_THAT(on_one_line(again.err), Containing("exists; --force replaces its tables"));
  CHECK(run_lapscope({"convert", recorded("pipeline-fixed"), out, "--force"}).status == 0);
  const CommandResult none = run_lapscope({"convert", "none.sqlite", folder / "none.parquet"});
  CHECK(none.status == 4);
  CHECK(folder.names() == std::vector<std::string>{"out.parquet"});
}

}  // namespace
}  // namespace lapscope::test
