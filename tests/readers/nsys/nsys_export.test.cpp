#include <algorithm>
#include <string>

#include "collector/schema/sqlite.h"
#include "readers/read_trace.h"
#include "tests/analyzer/support/trace_file.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using schema::Database;
using test::TemporaryFolder;

// Writes a synthetic export of Nsight Systems 2026.1, with the tables and columns that lapscope
// uses. It has no hardware channels and no SQLite application id.
void write_export(const std::filesystem::path& path, const std::string& more = "") {
  Database(path, Database::Mode::create)
      .execute(
          "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT NOT NULL);"
          "INSERT INTO StringIds VALUES (1, 'kernel');"
          "CREATE TABLE META_DATA_EXPORT (name TEXT NOT NULL, value TEXT);"
          "INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_SCHEMA_VERSION', '3.24.14');"
          "CREATE TABLE TARGET_INFO_GPU (vmId INTEGER, id INTEGER, name TEXT);"
          "INSERT INTO TARGET_INFO_GPU VALUES (1, 0, 'Some GPU');"
          "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER,"
          "  contextId INTEGER, streamId INTEGER, shortName INTEGER, registersPerThread INTEGER,"
          "  gridX INTEGER, gridY INTEGER, gridZ INTEGER, blockX INTEGER, blockY INTEGER,"
          "  blockZ INTEGER, staticSharedMemory INTEGER, dynamicSharedMemory INTEGER);"
          "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (100, 200, 0, 1, 13, 1, 32, 1, 1, 1, 64, "
          "1,"
          "  1, 0, 0);"
          "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER, end INTEGER, deviceId INTEGER,"
          "  contextId INTEGER, streamId INTEGER, bytes INTEGER, copyKind INTEGER);"
          "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (150, 250, 0, 1, 14, 8, 1), (250, 260, 0, "
          "1, "
          "14, 8, 8);" +
          more);
}

TEST_CASE("an Nsight Systems export is read as far as it tells the same things") {
  const TemporaryFolder folder;
  write_export(folder / "nsys.sqlite");
  const Trace trace = read_trace(folder / "nsys.sqlite");
  REQUIRE(trace.facts.format == "nsys/3.24.14");
  REQUIRE(trace.health.size() == 4);
  REQUIRE(code_of(trace.health[0]) == "no-channels");
  REQUIRE(code_of(trace.health[1]) == "missing-table");  // the table of calls
  REQUIRE(code_of(trace.health[2]) == "missing-table");  // the table of streams
  REQUIRE(code_of(trace.health[3]) == "missing-table");  // the table of the GPU's limits
  for (const HealthRow& row : trace.health) REQUIRE(severity_of(row) == Severity::info);
  REQUIRE(trace.devices.size() == 1);
  REQUIRE(trace.devices[0].name == "Some GPU");
  REQUIRE(trace.devices[0].ops.engine ==
          std::vector<Engine>{Engine::compute, Engine::h2d, Engine::compute});
  REQUIRE(trace.devices[0].streams.size() == 2);  // the streams that have ops
  REQUIRE(trace.devices[0].streams[0].kind == StreamKind::unknown);
}

TEST_CASE("graph launches whose inside was not traced make the export inconclusive") {
  const TemporaryFolder folder;
  write_export(folder / "nsys.sqlite",
               "CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start INTEGER, end INTEGER);"
               "INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES (1, 2), (3, 4)");
  const Trace trace = read_trace(folder / "nsys.sqlite");
  REQUIRE(code_of(trace.health.at(0)) == "graphs-not-traced");
  REQUIRE(trace.health.at(0).count == 2);
  REQUIRE(severity_of(trace.health.at(0)) == Severity::error);
}

//   stream 13  kkk  [CUDA graph ]
//   ns         100  200        300
TEST_CASE("a graph that was recorded only as a whole keeps the device busy") {
  const TemporaryFolder folder;
  write_export(folder / "nsys.sqlite",
               "CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start INTEGER, end INTEGER,"
               "  deviceId INTEGER, contextId INTEGER, streamId INTEGER, correlationId INTEGER,"
               "  globalPid INTEGER, graphId INTEGER, graphExecId INTEGER);"
               "INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES (200, 300, 0, 1, 13, NULL, NULL,"
               "  5, 6)");
  const Trace trace = read_trace(folder / "nsys.sqlite");
  const Ops& ops = trace.devices.at(0).ops;
  REQUIRE(ops.size() == 4);
  REQUIRE(name_of_op(trace, trace.devices[0], 2) == "CUDA graph");
  REQUIRE(Interval{ops.start[2], ops.end[2]} == Interval{200, 300});
  REQUIRE(ops.engine[2] == Engine::compute);
  REQUIRE(ops.geometry[2] == no_index);
}

TEST_CASE("a kernel whose name is gone makes an export inconclusive") {
  const TemporaryFolder folder;
  write_export(folder / "nsys.sqlite", "DELETE FROM StringIds;");
  const Trace trace = read_trace(folder / "nsys.sqlite");
  const auto missing = std::find_if(trace.health.begin(), trace.health.end(), [](const auto& one) {
    return code_of(one) == "names-missing";
  });
  REQUIRE(missing != trace.health.end());
  REQUIRE(severity_of(*missing) == Severity::error);
  REQUIRE(missing->count == 1);
}

// Writes a session of 1 s, which begins when its clock shows 5 s. One kernel ends in the session,
// and another one 1,000 s after the session.
void write_late_kernel(const std::filesystem::path& path, const std::string& more) {
  write_export(
      path,
      "CREATE TABLE ANALYSIS_DETAILS (globalVid INTEGER, duration INTEGER,"
      "  startTime INTEGER, stopTime INTEGER);"
      "INSERT INTO ANALYSIS_DETAILS VALUES (1, 1000000000, 5000000000, 6000000000);"
      "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL "
      "SELECT 900000000, 999000000, deviceId, contextId, streamId, shortName,"
      "  registersPerThread, gridX, gridY, gridZ, blockX, blockY, blockZ,"
      "  staticSharedMemory, dynamicSharedMemory FROM CUPTI_ACTIVITY_KIND_KERNEL;"
      "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL "
      "SELECT 999500000, 1000999500000, deviceId, contextId, streamId, shortName,"
      "  registersPerThread, gridX, gridY, gridZ, blockX, blockY, blockZ,"
      "  staticSharedMemory, dynamicSharedMemory FROM CUPTI_ACTIVITY_KIND_KERNEL LIMIT 1;" +
          more);
}

TEST_CASE("in an export no op ends after the session") {
  const TemporaryFolder folder;
  write_late_kernel(folder / "nsys.sqlite", "");
  const Trace trace = read_trace(folder / "nsys.sqlite");
  REQUIRE(trace.impossible_ops.size() == 1);
  REQUIRE(trace.devices[0].ops.size() == 4);
  const auto row = std::find_if(trace.health.begin(), trace.health.end(),
                                [](const auto& one) { return code_of(one) == "impossible-times"; });
  REQUIRE(row != trace.health.end());
  REQUIRE(row->count == 1);
}

TEST_CASE("an export whose times were moved has no end") {
  const auto* const shift =
      GENERATE("('EXPORT_PARAM_TIME_SHIFT', '7000')", "('EXPORT_CONFIG_TIME_SHIFT', '-7000')",
               "('EXPORT_PARAM_TIME_NORMALIZE', 'true')");
  const TemporaryFolder folder;
  write_late_kernel(folder / "nsys.sqlite",
                    std::string("INSERT INTO META_DATA_EXPORT VALUES ") + shift);
  REQUIRE(read_trace(folder / "nsys.sqlite").impossible_ops.empty());
}

TEST_CASE("an export whose times were moved out of what can be read says how to export it") {
  const TemporaryFolder folder;
  const auto write_moved = [&](const char* file, const std::string& by, const std::string& option) {
    write_export(folder / file, "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET start = start + " + by +
                                    ", end = end + " + by +
                                    ";INSERT INTO META_DATA_EXPORT VALUES " + option);
  };
  write_moved("normalized.sqlite", "1764370000000000000",
              "('EXPORT_PARAM_TIME_NORMALIZE', 'true')");
  CHECK_THROWS_WITH(read_trace(folder / "normalized.sqlite"),
                    test::Containing("Export the report again without --ts-normalize"));
  write_moved("shifted.sqlite", "-1000000", "('EXPORT_PARAM_TIME_SHIFT', '-1000000')");
  CHECK_THROWS_WITH(read_trace(folder / "shifted.sqlite"), test::Containing("--ts-shift"));
}

TEST_CASE("migrations and page faults of managed memory are counted, and are no ops") {
  const TemporaryFolder folder;
  write_export(folder / "nsys.sqlite",
               "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (300, 400, 0, 1, 14, 8, 11),"
               "  (400, 500, 0, 1, 14, 8, 12), (500, 600, 0, 1, 14, 8, 13);"
               "CREATE TABLE CUDA_UM_GPU_PAGE_FAULT_EVENTS (start INTEGER, end INTEGER);"
               "INSERT INTO CUDA_UM_GPU_PAGE_FAULT_EVENTS VALUES (1, 2), (3, 4)");
  const Trace trace = read_trace(folder / "nsys.sqlite");
  REQUIRE(trace.devices[0].ops.size() == 3);
  REQUIRE(code_of(trace.health[1]) == "managed-migrations");
  REQUIRE(trace.health[1].count == 5);
  REQUIRE(severity_of(trace.health[1]) == Severity::info);
}

TEST_CASE("columns that newer exports add do not disturb") {
  const TemporaryFolder folder;
  write_export(folder / "nsys.sqlite",
               "ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL ADD COLUMN somethingNew TEXT");
  REQUIRE(read_trace(folder / "nsys.sqlite").devices[0].ops.size() == 3);
}

TEST_CASE("an export of a version that does not name itself is read") {
  const TemporaryFolder folder;
  write_export(folder / "nsys.sqlite", "DROP TABLE META_DATA_EXPORT");
  REQUIRE(read_trace(folder / "nsys.sqlite").facts.format == "nsys/unknown");
}

}  // namespace
}  // namespace lapscope::analyzer
