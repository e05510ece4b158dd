#include "tests/catch.h"
#include "tests/collector/support/rows.h"

namespace lapscope::schema {
namespace {

using Names = Selection<COLUMNS(NvtxRow, textId, start, text, end, doubleValue)>;

Database nvtx_table(const std::string& columns, const std::string& values) {
  Database database = Database::in_memory();
  database.execute("CREATE TABLE NVTX_EVENTS (" + columns + ")");
  database.execute("INSERT INTO NVTX_EVENTS VALUES (" + values + ")");
  return database;
}

TEST_CASE("a selection reads the members it names whatever the order in the file", "[schema]") {
  Database database =
      nvtx_table("end INTEGER, doubleValue REAL, text TEXT, unrelated TEXT, start INTEGER, textId",
                 "20, 2.5, 'a name', 'x', 10, 7");
  Statement rows(database, Names::sql(database));
  REQUIRE(rows.step());
  const NvtxRow row = Names::read(rows);
  CHECK(row.start == 10);
  CHECK(row.end == 20);
  CHECK(row.textId == 7);
  CHECK(row.text == "a name");
  CHECK(row.doubleValue == 2.5);
  CHECK_FALSE(row.rangeId.has_value());
  CHECK_FALSE(rows.step());
}

TEST_CASE("a column that may be NULL and that the file lacks reads as NULL", "[schema]") {
  Database database = nvtx_table("start INTEGER, textId INTEGER", "5, 7");
  Statement rows(database, Names::sql(database));
  REQUIRE(rows.step());
  const NvtxRow row = Names::read(rows);
  CHECK(row.textId == 7);
  CHECK(row.start == 5);
  CHECK_FALSE(row.end.has_value());
  CHECK_FALSE(row.text.has_value());
  CHECK_FALSE(row.doubleValue.has_value());
}

TEST_CASE("a file that lacks a column without which rows mean nothing is refused by its name",
          "[schema]") {
  Database database = nvtx_table("textId INTEGER", "7");
  try {
    Names::sql(database);
    FAIL("it was accepted");
  } catch (const MissingColumn& error) {
    CHECK(std::string(error.what()) == "table NVTX_EVENTS has no column start");
  }
}

TEST_CASE("a tolerant selection reads a column that the file lacks as no number", "[schema]") {
  using Tolerant = TolerantSelection<NvtxRow, &NvtxRow::textId, &NvtxRow::start>;
  Database database = nvtx_table("textId INTEGER", "7");
  Statement rows(database, Tolerant::sql(database));
  REQUIRE(rows.step());
  CHECK(Tolerant::read(rows).textId == 7);
  CHECK(Tolerant::read(rows).start == no_integer);
}

TEST_CASE("what is no integer in an integer column reads as no time at all", "[schema]") {
  Database database = nvtx_table("start, textId INTEGER", "'soon', 7");
  Statement rows(database, Names::sql(database));
  REQUIRE(rows.step());
  CHECK(Names::read(rows).start == no_integer);
}

TEST_CASE("a selection of two members of one type keeps them apart", "[schema]") {
  using Ends = Selection<KernelRow, &KernelRow::end, &KernelRow::start>;
  Database database = Database::in_memory();
  database.execute(create_table_sql(describe<KernelRow>));
  Statement insert(database, insert_sql(describe<KernelRow>));
  const KernelRow written = test::filled_row<KernelRow>(false);
  bind_row(insert, written);
  insert.execute();
  Statement rows(database, Ends::sql(database));
  REQUIRE(rows.step());
  const KernelRow row = Ends::read(rows);
  CHECK(row.start == written.start);
  CHECK(row.end == written.end);
  CHECK(row.deviceId == 0);
}

}  // namespace
}  // namespace lapscope::schema
