#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "collector/schema/enumeration.h"
#include "collector/schema/sqlite.h"
#include "collector/schema/table.h"

// SQL texts, and functions that bind and read values. All are derived from the declarations of
// tables.
namespace lapscope::schema {

std::string create_table_sql(const TableInfo& table);

// Returns an INSERT OR FAIL statement for `rows` rows. Parameters are numbered from 1, row by row.
// OR FAIL saves time: if a row fails, SQLite does not undo the earlier rows of the statement, so it
// need not copy pages for this.
std::string insert_sql(const TableInfo& table, std::size_t rows = 1);

// Binds the values of a row to the parameters of insert_sql(). The first value goes to parameter
// number `first`. Texts must live until the statement has been stepped.
void bind_values(Statement& statement, const TableInfo& table, const std::byte* row, int first = 1);

// Does the same as bind_values(), but binds only the values that differ from those in `bound`.
// `bound` has the values that are bound at present. Updates `bound`. Text parameters refer to the
// texts in `bound`.
void bind_changes(Statement& statement, const TableInfo& table, int first, const std::byte* row,
                  std::byte* bound);

template <class Row>
void bind_row(Statement& statement, const Row& row) {
  bind_values(statement, describe<Row>, bytes_of(row));
}

// Inserts rows, and creates their table if there is none.
template <class Row>
void insert_rows(Database& database, std::span<const Row> rows) {
  database.execute(create_table_sql(describe<Row>));
  Statement insert(database, insert_sql(describe<Row>));
  for (const Row& row : rows) {
    bind_row(insert, row);
    insert.execute();
  }
}

// Thrown if a table in a file lacks a column without which the rows of the table mean nothing.
class MissingColumn : public std::runtime_error {
 public:
  MissingColumn(std::string_view table, std::string_view column)
      : std::runtime_error("table " + std::string(table) + " has no column " +
                           std::string(column)) {}
};

// The value that is read from an integer column if the file has no integer there. No valid time or
// id has this value.
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

// Returns a SELECT statement for these columns of the table, with NULL in place of missing columns.
// If `refuses` is true, throws MissingColumn for a missing column that is declared NOT NULL.
std::string select_sql(Database& database, const TableInfo& table,
                       std::span<const ColumnInfo* const> columns, bool refuses);

// Selected columns of a table. Reading only these columns saves time in large traces. The columns
// are given as members of the row struct. So only the table's declaration spells out column names.
//
//   using Ops = Selection<COLUMNS(KernelRow, start, end)>;
//   Statement rows(database, Ops::sql(database));
//   KernelRow row;
//   while (rows.step()) {
//     Ops::read(rows, row);
//   }
//
// read() sets only the selected members. So the row can be reused, which is faster than making a
// new row each time if the table has many columns.
template <class Row, auto... Members>
struct Selection {
  using row = Row;

  // Returns the SELECT statement. Files of older formats and other tools' exports may lack columns.
  // In place of a missing column that may be NULL, the statement selects NULL. Throws MissingColumn
  // if the file lacks a NOT NULL column.
  static std::string sql(Database& database) { return sql(database, true); }

  static Row read(const Statement& statement) {
    Row row;
    read(statement, row);
    return row;
  }

  static void read(const Statement& statement, Row& row) {
    int index = 0;
    ((row.*Members = read_value<std::remove_cvref_t<decltype(row.*Members)>>(statement, index++)),
     ...);
  }

  // Calls f(column, value) for each selected value outside the enumeration or domain of its column.
  template <class F>
  static void for_each_impossible(const Row& row, F&& f) {
    (check<Members>(row.*Members, f), ...);
  }

 protected:
  static std::string sql(Database& database, bool refuses) {
    return select_sql(database, describe<Row>, std::array{&column_of<Row>(Members)...}, refuses);
  }

 private:
  template <auto Member_, class T, class F>
  static void check(const T& value, F&& f) {
    if constexpr (std::is_same_v<typename IsOptional<T>::value_type, std::int64_t>) {
      constexpr const ColumnInfo& column = column_of<Row>(Member_);
      if constexpr (!column.enumeration.empty()) {
        static const Enumeration codes = enumeration(column.enumeration);
        check_one(value, column, f, [](std::int64_t one) { return codes.has(one); });
      } else if constexpr (!column.domain.is_any()) {
        check_one(value, column, f, [](std::int64_t one) { return column.domain.has(one); });
      }
    }
  }
  // Ignores no_integer: read() sets this value if the file has no integer there, so it is not an
  // invalid value of the file.
  template <class F, class Has>
  static void check_one(std::int64_t value, const ColumnInfo& column, F&& f, Has&& has) {
    if (value != no_integer && !has(value)) f(column, value);
  }
  template <class F, class Has>
  static void check_one(const std::optional<std::int64_t>& value, const ColumnInfo& column, F&& f,
                        Has&& has) {
    if (value && !has(*value)) f(column, *value);
  }
};

// Same as Selection, but for columns that an analysis can do without. If the file lacks a NOT NULL
// column, sql() does not throw MissingColumn. Instead, read() sets the member of this column to
// no_integer.
template <class Row, auto... Members>
struct TolerantSelection : Selection<Row, Members...> {
  static std::string sql(Database& database) {
    return Selection<Row, Members...>::sql(database, false);
  }
};

}  // namespace lapscope::schema
