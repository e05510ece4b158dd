#include "collector/trace/copy_tables.h"

#include "tests/catch.h"

namespace lapscope::trace {
namespace {

using schema::Database;

// Returns the cells and their types. Each row is a line.
std::string cells(Database& database, const std::string& columns, const std::string& table) {
  std::string text;
  schema::Statement rows(database, "SELECT " + columns + " FROM " + table);
  while (rows.step()) text += std::string(rows.text(0)) + "\n";
  return text;
}

TEST_CASE("tables of the format are copied cell by cell, whatever is in them", "[trace]") {
  Database from = Database::in_memory();
  from.execute(
      "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT NOT NULL);"
      "INSERT INTO StringIds VALUES (7, 'seven'), (3, 'a''b'), (5, x'00FF');"
      "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start INTEGER, \"end\" BIGINT, untyped, \"a \"\" "
      "b\" "
      "REAL, deviceId \"odd type\");"
      "INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES (1, NULL, 'text', 1.5, x'01'), (9, 2, 3, 4, "
      "'5');"
      "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER);"
      "CREATE TABLE TARGET_INFO_SYSTEM_ENV (value TEXT);"
      "INSERT INTO TARGET_INFO_SYSTEM_ENV VALUES ('secret')");
  Database to = Database::in_memory();
  copy_tables(from, to);
  const std::string string_cells = "id || typeof(id) || quote(value)";
  CHECK(cells(to, string_cells, "StringIds") == cells(from, string_cells, "StringIds"));
  const std::string memset_cells =
      "quote(start) || quote(\"end\") || quote(untyped) || quote(\"a \"\" b\") || quote(deviceId)";
  const std::string memsets = "CUPTI_ACTIVITY_KIND_MEMSET";
  CHECK(cells(to, memset_cells, memsets) == "1NULL'text'1.5X'01'\n9234.05\n");
  CHECK(cells(to, memset_cells, memsets) == cells(from, memset_cells, memsets));
  CHECK(to.has_table("CUPTI_ACTIVITY_KIND_MEMCPY"));  // empty, but present
  CHECK_FALSE(to.has_table("CUPTI_ACTIVITY_KIND_KERNEL"));
  CHECK_FALSE(to.has_table("TARGET_INFO_SYSTEM_ENV"));
}

TEST_CASE("a view in place of a table is not copied but refused", "[trace]") {
  Database from = Database::in_memory();
  from.execute("CREATE VIEW StringIds AS SELECT 1 AS id, 'x' AS value");
  Database to = Database::in_memory();
  CHECK_THROWS_AS(copy_tables(from, to), schema::SqliteError);
}

}  // namespace
}  // namespace lapscope::trace
