#include "collector/trace/trace_writer.h"

#include "collector/schema/enumeration.h"
#include "tests/catch.h"
#include "tests/collector/support/rows.h"
#include "tests/collector/support/temporary_folder.h"

namespace lapscope::trace {
namespace {

using schema::bytes_of;
using schema::Database;
using test::all_rows;
using test::filled_row;
using test::TemporaryFolder;

schema::StringRow string_row(std::int64_t id) { return {id, "text " + std::to_string(id)}; }

TEST_CASE("a new trace carries the format's marks and nothing else", "[trace]") {
  TraceWriter trace(Database::in_memory());
  CHECK(trace.database().query_int64("PRAGMA application_id") == schema::application_id);
  CHECK(trace.database().query_int64("PRAGMA user_version") == schema::format_version);
  CHECK(trace.database().query_int64("SELECT count(*) FROM sqlite_master") == 1);
  CHECK(trace.database().query_text(
            "SELECT value FROM META_DATA_EXPORT WHERE name = 'EXPORT_SCHEMA_VERSION'") ==
        std::string(schema::nsys_schema_version));
}

TEST_CASE("the marked version is the one in parts", "[trace]") {
  TraceWriter trace(Database::in_memory());
  CHECK(trace.database().query_text(
            "SELECT group_concat(value, '.') FROM (SELECT value FROM META_DATA_EXPORT WHERE name "
            "LIKE 'EXPORT_SCHEMA_VERSION\\_%' ESCAPE '\\' ORDER BY rowid)") ==
        std::string(schema::nsys_schema_version));
}

TEST_CASE("a table exists once it has a row", "[trace]") {
  test::for_each_table([]<class Row>() {
    INFO(schema::describe<Row>.name);
    TraceWriter trace(Database::in_memory());
    const schema::TableInfo table = schema::describe<Row>;
    const std::size_t before = test::count_rows(trace.database(), table);
    const Row full = filled_row<Row>(false);
    const Row with_nulls = filled_row<Row>(true);
    trace.insert(full);
    trace.insert(with_nulls);
    CHECK(test::holds(trace.database(), table, {bytes_of(full), bytes_of(with_nulls)}, before));
  });
}

TEST_CASE("appended rows are what inserted rows are, whatever their number", "[trace]") {
  // append() inserts 32 rows with one SQL statement.
  test::for_each_table([]<class Row>() {
    INFO(schema::describe<Row>.name);
    const schema::TableInfo table = schema::describe<Row>;
    const Row rows[] = {filled_row<Row>(false), filled_row<Row>(true)};
    constexpr std::size_t batch = RowBatch::capacity;
    for (const std::size_t count : {std::size_t{1}, batch - 1, batch, batch + 1, 3 * batch + 2}) {
      TraceWriter trace(Database::in_memory());
      const std::size_t before = test::count_rows(trace.database(), table);
      std::vector<const std::byte*> expected;
      for (std::size_t i = 0; i < count; ++i) {
        const Row& row = rows[i % 3 == 1 || (i / batch) % 2 == 1 ? 1 : 0];
        trace.append(row);
        expected.push_back(bytes_of(row));
      }
      trace.commit();
      CHECK(test::holds(trace.database(), table, expected, before));
    }
  });
}

TEST_CASE("rolling back drops appended rows that still waited", "[trace]") {
  TraceWriter trace(Database::in_memory());
  for (int i = 0; i < 20; ++i) trace.append(filled_row<schema::ApiCallRow>(false));
  trace.commit();
  for (int i = 0; i < 20; ++i) trace.append(filled_row<schema::ApiCallRow>(false));
  trace.rollback();
  trace.commit();
  CHECK(all_rows<schema::ApiCallRow>(trace.database()).size() == 20);
}

TEST_CASE("the tables of a table's codes come with it and are complete", "[trace]") {
  TraceWriter trace(Database::in_memory());
  Database& database = trace.database();
  CHECK_FALSE(database.has_table("ENUM_CUDA_MEM_KIND"));
  trace.insert(filled_row<schema::MemcpyRow>(false));
  trace.insert(filled_row<schema::MemsetRow>(false));  // shares two names with the other row
  for (const char* table :
       {"ENUM_CUDA_MEM_KIND", "ENUM_CUDA_MEMCPY_OPER", "ENUM_LAPSCOPE_CHANNEL_TYPE"}) {
    INFO(table);
    const auto values = schema::enumeration(table).values;
    REQUIRE(database.has_table(table));
    schema::Statement rows(database,
                           "SELECT id, name, label FROM " + std::string(table) + " ORDER BY id");
    for (const schema::Enumerator& value : values) {
      REQUIRE(rows.step());
      CHECK(rows.int64(0) == value.id);
      CHECK(rows.text(1) == value.name);
      CHECK(rows.text(2) == value.label);
    }
    CHECK_FALSE(rows.step());
  }
  CHECK_FALSE(database.has_table("ENUM_CUPTI_SYNC_TYPE"));
}

TEST_CASE("a text is stored once and keeps its id", "[trace]") {
  TraceWriter trace(Database::in_memory());
  const std::int64_t a = trace.intern("a");
  const std::int64_t b = trace.intern("b");
  CHECK(a != b);
  CHECK(trace.intern(std::string("a")) == a);
  CHECK(trace.intern("") != a);
  const auto rows = all_rows<schema::StringRow>(trace.database());
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].id == a);
  CHECK(rows[0].value == "a");
}

TEST_CASE("a fact replaces the one of the same name", "[trace]") {
  TraceWriter trace(Database::in_memory());
  trace.set_fact("pid", "1");
  trace.set_fact("host", "x");
  trace.set_fact("pid", "2");
  trace.set_fact("host", std::nullopt);
  const auto rows = all_rows<schema::CaptureRow>(trace.database());
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].name == "pid");
  CHECK(rows[0].value == "2");
  CHECK(rows[1].name == "host");
  CHECK_FALSE(rows[1].value.has_value());
}

TEST_CASE("replacing all makes the given rows the whole table", "[trace]") {
  TraceWriter trace(Database::in_memory());
  const std::vector<schema::StringRow> first{string_row(1), string_row(2), string_row(3)};
  trace.replace_all<schema::StringRow>(first);
  const std::vector<schema::StringRow> second{string_row(4)};
  trace.replace_all<schema::StringRow>(second);
  const auto rows = all_rows<schema::StringRow>(trace.database());
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].id == 4);
  trace.replace_all<schema::StringRow>({});
  CHECK(trace.database().has_table("StringIds"));
  CHECK(all_rows<schema::StringRow>(trace.database()).empty());
}

TEST_CASE("others see rows from the commit on", "[trace]") {
  const TemporaryFolder folder;
  TraceWriter trace(folder / "t.sqlite");
  trace.insert(string_row(1));
  trace.commit();
  trace.insert(string_row(2));
  Database reader(folder / "t.sqlite", Database::Mode::read_only);
  CHECK(all_rows<schema::StringRow>(reader).size() == 1);
  trace.commit();
  CHECK(all_rows<schema::StringRow>(reader).size() == 2);
}

TEST_CASE("a rollback drops what came after the last commit", "[trace]") {
  TraceWriter trace(Database::in_memory());
  trace.insert(string_row(1));
  trace.commit();
  trace.insert(string_row(2));
  trace.rollback();
  trace.rollback();  // also valid without an open transaction
  trace.insert(string_row(3));
  trace.commit();
  const auto rows = all_rows<schema::StringRow>(trace.database());
  REQUIRE(rows.size() == 2);
  CHECK(rows[1].id == 3);
}

TEST_CASE("a finished trace is one file in the default mode", "[trace]") {
  const TemporaryFolder folder;
  TraceWriter trace(folder / "t.sqlite");
  trace.insert(string_row(1));
  trace.commit();
  CHECK(folder.names().size() == 3);  // including -wal and -shm
  trace.insert(string_row(2));
  trace.finish();
  CHECK(folder.names() == std::vector<std::string>{"t.sqlite"});
  Database reader = Database::immutable(folder / "t.sqlite");
  CHECK(reader.query_text("PRAGMA journal_mode") == "delete");
  CHECK(reader.query_text("PRAGMA integrity_check") == "ok");
  CHECK(all_rows<schema::StringRow>(reader).size() == 2);
}

TEST_CASE("a row that breaks a rule of the table throws", "[trace]") {
  TraceWriter trace(Database::in_memory());
  trace.insert(string_row(1));
  trace.database().execute("CREATE UNIQUE INDEX once ON StringIds (id)");
  CHECK_THROWS_AS(trace.insert(string_row(1)), schema::SqliteError);
}

}  // namespace
}  // namespace lapscope::trace
