#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "analyzer/model/ops.h"
#include "analyzer/model/progress.h"
#include "collector/schema/statements.h"

namespace lapscope::analyzer {

// Returns `stored`, or no_index if it is not a valid id of CUPTI. CUPTI writes 4294967295 if there
// is no id.
constexpr std::uint32_t id_of(std::optional<std::int64_t> stored) {
  const bool is_one = stored && 0 <= *stored && *stored < no_index;
  return is_one ? static_cast<std::uint32_t>(*stored) : no_index;
}

template <class Row>
bool has_table(schema::Database& database) {
  return database.has_table(schema::describe<Row>.name);
}

// Returns the number of rows; 0 if the table is absent. Reads the whole table.
template <class Row>
std::int64_t row_count(schema::Database& database) {
  if (!has_table<Row>(database)) return 0;
  return database.query_int64("SELECT count(*) FROM " + schema::table_name<Row>()).value_or(0);
}

// Returns an upper bound of the number of rows without counting them; 0 if it is not known.
std::int64_t rows_at_most(schema::Database& database, const std::string& table);

template <class Row>
std::int64_t rows_at_most(schema::Database& database) {
  return rows_at_most(database, schema::table_name<Row>());
}

// Prepares a statement for a single pass over the rows. `order` is a list of column numbers, or
// empty.
schema::Statement rows_once(schema::Database& database, const std::string& sql,
                            const std::string& order);

// Calls f with each row. Only the selected columns of the row are set. Returns the number of rows;
// 0 if the table is absent. Rows come in the order of the file, or of `order`, a list of column
// numbers. `progress` may be null. Reports values that a column cannot have to
// Database::note_impossible().
template <class Columns, class F>
std::int64_t for_each_row(schema::Database& database, F&& f, const std::string& order = "",
                          Progress* progress = nullptr) {
  using Row = typename Columns::row;
  if (!has_table<Row>(database)) return 0;
  constexpr std::int64_t batch = 1 << 14;
  std::int64_t rows_since = 0;
  std::int64_t all = 0;
  schema::Statement rows = rows_once(database, Columns::sql(database), order);
  Row row;
  while (rows.step()) {
    Columns::read(rows, row);
    Columns::for_each_impossible(row, [&](const schema::ColumnInfo& column, std::int64_t value) {
      database.note_impossible(
          {schema::describe<Row>.name, column.name, 1, value, column.is_of_collector(value)});
    });
    f(row);
    ++all;
    if (++rows_since < batch) continue;
    if (progress) progress->done += rows_since;
    rows_since = 0;
  }
  if (progress) progress->done += rows_since;
  return all;
}

}  // namespace lapscope::analyzer
