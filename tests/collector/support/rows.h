#pragma once

#include <string>
#include <vector>

#include "collector/schema/statements.h"
#include "collector/schema/tables.h"

namespace lapscope::test {

void fill(const schema::TableInfo& table, std::byte* row, bool with_nulls);
bool same(const schema::TableInfo& table, const std::byte* a, const std::byte* b);
void read(const schema::TableInfo& table, const schema::Statement& statement, std::byte* row);

// Makes a row in which neighbours differ, so that tests detect swapped columns. With `with_nulls`,
// every nullable value is NULL.
template <class Row>
Row filled_row(bool with_nulls) {
  Row row;
  fill(schema::describe<Row>, schema::bytes_of(row), with_nulls);
  return row;
}

template <class Row>
bool same_row(const Row& a, const Row& b) {
  return same(schema::describe<Row>, schema::bytes_of(a), schema::bytes_of(b));
}

// Returns all rows in the order of insertion. SELECT * reveals misplaced or missing columns.
template <class Row>
std::vector<Row> all_rows(schema::Database& database) {
  std::vector<Row> rows;
  const std::string table(schema::describe<Row>.name);
  if (!database.has_table(table)) return rows;
  schema::Statement statement(database, "SELECT * FROM " + table + " ORDER BY rowid");
  while (statement.step()) {
    Row row;
    read(schema::describe<Row>, statement, schema::bytes_of(row));
    rows.push_back(std::move(row));
  }
  return rows;
}

// Skips the first `skipped` rows of a table. Returns whether SELECT * then gives exactly `rows`, in
// the order of insertion.
bool holds(schema::Database& database, const schema::TableInfo& table,
           const std::vector<const std::byte*>& rows, std::size_t skipped = 0);

std::size_t count_rows(schema::Database& database, const schema::TableInfo& table);

// Calls f.operator()<Row>() for every table of the format.
template <class F>
void for_each_table(F&& f) {
  [&f]<class... Rows>(std::type_identity<std::tuple<Rows...>>) {
    (f.template operator()<Rows>(), ...);
  }(std::type_identity<schema::AllRows>{});
}

}  // namespace lapscope::test
