#include "collector/schema/views.h"

#include <string>

#include "collector/schema/global_id.h"
#include "tests/catch.h"

namespace lapscope::schema {
namespace {

// Returns the result of a query. Each row is a line, with spaces between the values.
std::string asked(Database& database, const std::string& sql) {
  std::string text;
  Statement rows(database, sql);
  const std::size_t columns = rows.column_names().size();
  while (rows.step()) {
    for (std::size_t column = 0; column < columns; ++column) {
      const auto at = static_cast<int>(column);
      text += (column == 0 ? "" : " ") + (rows.is_null(at) ? "-" : std::string(rows.text(at)));
    }
    text += '\n';
  }
  return text;
}

std::string id(std::int64_t value) { return std::to_string(value); }

// Makes a trace with two devices. Some ops overlap, and one has no end. k is a kernel, c is a copy,
// and m is a memset:
//
//   time in ns          0    10   20   30   40   50   60
//   device 0, stream 7       kkkkkkkkkk       cccc
//   device 0, stream 8            mmmmmmmmmm       m   the last m has no end
//   device 1, stream 7            kkk            kkkk
Database two_devices() {
  Database database = Database::in_memory();
  const std::string process = id(global_pid(42));
  database.execute(
      "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT);"
      "INSERT INTO StringIds VALUES (1, 'scan'), (2, 'cudaLaunchKernel_v7000'), (3, 'cuLaunch'),"
      "  (4, 'cudaMemcpyAsync_v3020');"
      "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, contextId, streamId,"
      "  correlationId, globalPid, shortName);"
      "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (10, 30, 0, 1, 7, 5, " +
      process + ", 1), (20, 27, 1, 2, 7, 6, " + process + ", 1), (50, 58, 1, 2, 7, NULL, " +
      process +
      ", 9);"
      "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start, end, deviceId, contextId, streamId,"
      "  correlationId, globalPid, bytes, copyKind);"
      "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (45, 52, 0, 1, 7, 7, " +
      process + ", 4096, 2), (1, 99, 0, 1, 7, 8, " + process +
      ", 64, 11);"
      "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start, end, deviceId, streamId, bytes);"
      "INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES (20, 41, 0, 8, 512), (55, -1, 0, 8, 512);");
  return database;
}

TEST_CASE("ops of all tables have one shape; what is not known is NULL", "[views]") {
  Database database = two_devices();
  create_views(database, ViewPlace::of_connection);
  CHECK(asked(database, "SELECT * FROM lapscope_ops ORDER BY device_id, start_ns") ==
        "kernel scan 0 1 7 10 30 20 - 42 5\n"
        "memset memset 0 - 8 20 41 21 512 - -\n"
        "copy DtoH 0 1 7 45 52 7 4096 42 7\n"
        "kernel scan 1 2 7 20 27 7 - 42 6\n"
        "kernel - 1 2 7 50 58 8 - 42 -\n");
}

TEST_CASE("gaps lie between all ops of a device, and name what ends them", "[views]") {
  Database database = two_devices();
  create_views(database, ViewPlace::of_connection);
  CHECK(asked(database, "SELECT * FROM lapscope_gaps ORDER BY device_id") ==
        "0 41 45 4 copy DtoH 7 7\n"
        "1 27 50 23 kernel - 7 -\n");
}

// Calls of one thread. A call of the runtime contains a call of the driver:
//
//   0     10    20    30    40    50
//   [ cudaLaunchKernel ]    [ copy ]
//      [cuLaunch]
TEST_CASE("host time lies between outermost calls of a thread", "[views]") {
  Database database = two_devices();
  const std::string thread = id(global_tid(42, 43));
  database.execute(
      "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start, end, eventClass, globalTid, correlationId,"
      "  nameId);"
      "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (0, 25, 0, " +
      thread + ", 5, 2), (5, 15, 1, " + thread + ", 5, 3), (32, 40, 0, " + thread +
      ", 7, 4), (33, 34, 67, " + thread + ", 7, 4), (30, 31, 0, " + id(global_tid(42, 44)) +
      ", 9, 4)");
  create_views(database, ViewPlace::of_connection);
  CHECK(asked(database, "SELECT * FROM lapscope_calls ORDER BY start_ns") ==
        "cudaLaunchKernel 42 43 0 25 25 5\n"
        "cuLaunch 42 43 5 15 10 5\n"
        "cudaMemcpyAsync 42 44 30 31 1 9\n"
        "cudaMemcpyAsync 42 43 32 40 8 7\n");
  CHECK(asked(database, "SELECT * FROM lapscope_host_time") ==
        "42 43 25 32 7 cudaLaunchKernel cudaMemcpyAsync\n");
}

TEST_CASE("ranges have the names of their domains, of the process only", "[views]") {
  Database database = two_devices();
  const std::string thread = id(global_tid(42, 43));
  database.execute(
      "CREATE TABLE NVTX_EVENTS (start, end, eventType, text, globalTid, textId, domainId);"
      "INSERT INTO NVTX_EVENTS VALUES (0, NULL, 75, 'NCCL', " +
      thread + ", NULL, 1), (0, NULL, 75, 'other', " + id(global_tid(9, 9)) +
      ", NULL, 2), (3, 9, 59, 'step', " + thread + ", NULL, 0), (4, 8, 59, NULL, " + thread +
      ", 1, 1), (5, NULL, 60, 'open', " + thread + ", NULL, 2), (6, NULL, 34, 'mark', " + thread +
      ", NULL, 0)");
  create_views(database, ViewPlace::of_connection);
  CHECK(asked(database, "SELECT * FROM lapscope_ranges ORDER BY start_ns") ==
        "step - 42 43 3 9 6\n"
        "scan NCCL 42 43 4 8 4\n"
        "open - 42 43 5 - -\n");
}

TEST_CASE("a database without any table has all views, with their columns and no rows", "[views]") {
  Database database = Database::in_memory();
  create_views(database, ViewPlace::in_file);
  create_views(database, ViewPlace::in_file);  // as in a trace that is finished twice
  for (const ViewInfo& view : views()) {
    INFO(view.table.name);
    Statement rows(database, "SELECT * FROM " + std::string(view.table.name));
    std::vector<std::string> declared;
    for (const ColumnInfo& column : view.table.columns) declared.emplace_back(column.name);
    CHECK(rows.column_names() == declared);
    CHECK_FALSE(rows.step());
  }
}

TEST_CASE("views of the connection come before those that a file has", "[views]") {
  Database database = two_devices();
  database.execute("CREATE VIEW lapscope_ops AS SELECT 'planted' AS kind");
  create_views(database, ViewPlace::of_connection);
  CHECK(asked(database, "SELECT count(*) FROM lapscope_ops") == "5\n");
  CHECK(asked(database, "SELECT count(*) FROM lapscope_gaps") == "2\n");
}

}  // namespace
}  // namespace lapscope::schema
