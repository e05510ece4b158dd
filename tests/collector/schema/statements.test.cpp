#include "collector/schema/statements.h"

#include "tests/catch.h"
#include "tests/collector/support/rows.h"

namespace lapscope::schema {
namespace {

using test::all_rows;
using test::filled_row;

TEST_CASE("every table gives back the rows that were put in", "[schema]") {
  test::for_each_table([]<class Row>() {
    INFO(describe<Row>.name);
    Database database = Database::in_memory();
    database.execute(create_table_sql(describe<Row>));
    const Row full = filled_row<Row>(false);
    const Row with_nulls = filled_row<Row>(true);
    Statement insert(database, insert_sql(describe<Row>));
    for (const Row& row : {full, with_nulls}) {
      bind_row(insert, row);
      insert.execute();
    }
    CHECK(test::holds(database, describe<Row>, {bytes_of(full), bytes_of(with_nulls)}));
  });
}

TEST_CASE("the columns of a table have the declared names and types", "[schema]") {
  for (const TableInfo& table : all_tables()) {
    Database database = Database::in_memory();
    database.execute(create_table_sql(table));
    Statement info(database, "SELECT name, type, \"notnull\" FROM pragma_table_info(?1)");
    info.bind(1, table.name);
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const ColumnInfo& column = table.columns[i];
      INFO(table.name << "." << column.name);
      REQUIRE(info.step());
      CHECK(info.text(0) == column.name);
      CHECK(info.text(1) == name_of(column.type));
      CHECK((info.int64(2) == 0) == column.nullable);
    }
    CHECK_FALSE(info.step());
  }
}

TEST_CASE("making a table that exists leaves its rows alone", "[schema]") {
  Database database = Database::in_memory();
  database.execute(create_table_sql(describe<StringRow>));
  database.execute("INSERT INTO StringIds VALUES (1, 'one')");
  database.execute(create_table_sql(describe<StringRow>));
  CHECK(database.query_int64("SELECT count(*) FROM StringIds") == 1);
}

TEST_CASE("extreme numbers survive", "[schema]") {
  Database database = Database::in_memory();
  database.execute(create_table_sql(describe<StringRow>));
  Statement insert(database, insert_sql(describe<StringRow>));
  for (const std::int64_t id : {INT64_MIN, std::int64_t{-1}, INT64_MAX}) {
    const StringRow row{id, ""};
    bind_row(insert, row);
    insert.execute();
  }
  const auto rows = all_rows<StringRow>(database);
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].id == INT64_MIN);
  CHECK(rows[1].id == -1);
  CHECK(rows[2].id == INT64_MAX);
}

}  // namespace
}  // namespace lapscope::schema
