#pragma once

#include <string>
#include <vector>

#include "collector/schema/statements.h"
#include "collector/schema/tables.h"

namespace lapscope::test {

// A row whose every value differs from its neighbours' (a swapped pair of columns shows), or whose
// every nullable value is NULL.
template <class Row>
Row filled_row(bool with_nulls) {
  Row row;
  schema::for_each_column<Row>([&]<class T>(const schema::ColumnInfo&, T Row::*member, int index) {
    T& value = row.*member;
    using schema::IsOptional;
    if constexpr (IsOptional<T>::value) {
      if (with_nulls) return;
    }
    if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, std::optional<std::string>>) {
      value = "text " + std::to_string(index);
    } else if constexpr (std::is_same_v<T, double> || std::is_same_v<T, std::optional<double>>) {
      value = index + 0.25;
    } else {
      value = (std::int64_t{1} << 40) + index;
    }
  });
  return row;
}

template <class Row>
bool same_row(const Row& a, const Row& b) {
  bool same = true;
  schema::for_each_column<Row>(
      [&](const schema::ColumnInfo&, auto member, int) { same = same && a.*member == b.*member; });
  return same;
}

// All rows of a table in the order of their insertion, by SELECT * : a column out of place or
// missing in the file shows.
template <class Row>
std::vector<Row> all_rows(schema::Database& database) {
  std::vector<Row> rows;
  const std::string table(schema::describe<Row>.name);
  if (!database.has_table(table)) return rows;
  schema::Statement statement(database, "SELECT * FROM " + table + " ORDER BY rowid");
  while (statement.step()) {
    Row row;
    schema::for_each_column<Row>(
        [&]<class T>(const schema::ColumnInfo&, T Row::*member, int index) {
          row.*member = schema::read_value<T>(statement, index);
        });
    rows.push_back(std::move(row));
  }
  return rows;
}

// Calls f.operator()<Row>() for every table of the format.
template <class F>
void for_each_table(F&& f) {
  [&f]<class... Rows>(std::type_identity<std::tuple<Rows...>>) {
    (f.template operator()<Rows>(), ...);
  }(std::type_identity<schema::AllRows>{});
}

}  // namespace lapscope::test
