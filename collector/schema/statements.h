#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "collector/schema/enumeration.h"
#include "collector/schema/sqlite.h"
#include "collector/schema/table.h"

// SQL text and value transfer derived from a table's declaration.
namespace lapscope::schema {

std::string create_table_sql(const TableInfo& table);

// For so many rows, whose columns are the parameters in turn, counted from 1. OR FAIL: a row that
// cannot be inserted does not take those before it back, which saves SQLite the copy of a page that
// it would need for that.
std::string insert_sql(const TableInfo& table, std::size_t rows = 1);

// Binds the values of a row to the parameters of insert_sql(), which count from 1. Texts must
// outlive the step.
void bind_values(Statement& statement, const Layout& layout, const std::byte* row, int first = 1);

// The same for parameters from `first` on of which some may be bound already: `bound` is the row
// whose values they have, and where the texts that they refer to lie. Makes it equal to `row`.
void bind_changes(Statement& statement, const Layout& layout, int first, const std::byte* row,
                  std::byte* bound);

template <class Row>
void bind_row(Statement& statement, const Row& row) {
  bind_values(statement, layout_of<Row>(), bytes_of(row));
}

// A file whose table lacks a column without which its rows mean nothing.
class MissingColumn : public std::runtime_error {
 public:
  MissingColumn(std::string_view table, std::string_view column)
      : std::runtime_error("table " + std::string(table) + " has no column " +
                           std::string(column)) {}
};

// What a NOT NULL integer column reads as when the file holds something else there. No valid time
// or id has this value.
inline constexpr std::int64_t no_integer = std::numeric_limits<std::int64_t>::min();

template <class T>
T read_value(const Statement& statement, int column) {
  if constexpr (std::is_same_v<T, std::optional<std::int64_t>>) {
    const auto value = statement.integer(column);
    if (value || statement.is_null(column)) return value;
    return no_integer;
  } else if constexpr (IsOptional<T>::value) {
    if (statement.is_null(column)) return std::nullopt;
    return read_value<typename T::value_type>(statement, column);
  } else if constexpr (std::is_same_v<T, std::int64_t>) {
    return statement.integer(column).value_or(no_integer);
  } else if constexpr (std::is_same_v<T, double>) {
    return statement.real(column);
  } else {
    return std::string(statement.text(column));
  }
}

// A chosen part of a table's columns: reading only what is used is what keeps large traces quick,
// and naming members instead of texts keeps the declaration the only place that spells column
// names.
//
//   using Ops = Selection<KernelRow, &KernelRow::start, &KernelRow::end>;
//   Statement rows(database, Ops::sql(database));
//   KernelRow row;
//   while (rows.step()) {
//     Ops::read(rows, row);
//
// A row that is used again costs no more than its columns; a new one is slower for wide tables.
template <class Row, auto... Members>
struct Selection {
  using row = Row;

  // A column that this file lacks (an older format, another tool's export) reads as NULL if it may
  // be NULL; otherwise throws MissingColumn.
  static std::string sql(Database& database) { return sql(database, true); }

  static Row read(const Statement& statement) {
    Row row;
    read(statement, row);
    return row;
  }

  // Sets the members that are selected.
  static void read(const Statement& statement, Row& row) {
    int index = 0;
    ((row.*Members = read_value<std::remove_cvref_t<decltype(row.*Members)>>(statement, index++)),
     ...);
  }

  // Calls f(column, value) for each of them that its column cannot have.
  template <class F>
  static void for_each_impossible(const Row& row, F&& f) {
    (check<Members>(row.*Members, f), ...);
  }

 protected:
  static std::string sql(Database& database, bool refuses) {
    std::string columns;
    (append(database, columns, Members, refuses), ...);
    return "SELECT " + columns + " FROM " + std::string(describe<Row>.name);
  }

 private:
  template <auto Member_>
  static constexpr const ColumnInfo& info() {
    constexpr const auto& table = describe<Row>;
    std::size_t place = 0;
    while (!(table.members[place] == Member<Row>(Member_))) ++place;
    return table.columns[place];
  }
  template <auto Member_, class T, class F>
  static void check(const T& value, F&& f) {
    if constexpr (std::is_same_v<typename IsOptional<T>::value_type, std::int64_t>) {
      constexpr const ColumnInfo& column = info<Member_>();
      if constexpr (!column.enumeration.empty()) {
        static const Enumeration codes = enumeration(column.enumeration);
        check_one(value, column, f, [](std::int64_t one) { return codes.has(one); });
      } else if constexpr (!column.domain.is_any()) {
        check_one(value, column, f, [](std::int64_t one) { return column.domain.has(one); });
      }
    }
  }
  // no_integer of a column that may not be NULL may also be that the file lacks the column.
  template <class F, class Has>
  static void check_one(std::int64_t value, const ColumnInfo& column, F&& f, Has&& has) {
    if (value != no_integer && !has(value)) f(column, value);
  }
  template <class F, class Has>
  static void check_one(const std::optional<std::int64_t>& value, const ColumnInfo& column, F&& f,
                        Has&& has) {
    if (value && !has(*value)) f(column, *value);
  }
  template <class T>
  static void append(Database& database, std::string& columns, T Row::*member, bool refuses) {
    const auto& members = describe<Row>.members;
    const auto found = std::find(members.begin(), members.end(), Member<Row>(member));
    const std::string_view name =
        describe<Row>.columns[static_cast<std::size_t>(found - members.begin())].name;
    if (!columns.empty()) columns += ", ";
    const bool present = database.has_column(describe<Row>.name, name);
    if (refuses && !present && !IsOptional<T>::value) {
      throw MissingColumn(describe<Row>.name, name);
    }
    columns += present ? std::string(name) : "NULL";
  }
};

// A selection of a table that a file can be evaluated without: a column that may not be NULL and
// that this file lacks is no reason to refuse the file, and reads as no_integer.
template <class Row, auto... Members>
struct TolerantSelection : Selection<Row, Members...> {
  static std::string sql(Database& database) {
    return Selection<Row, Members...>::sql(database, false);
  }
};

}  // namespace lapscope::schema
