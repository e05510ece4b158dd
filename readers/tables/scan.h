#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "analyzer/model/ops.h"
#include "analyzer/model/progress.h"
#include "collector/schema/statements.h"

namespace lapscope::analyzer {

// An id as CUPTI counts them; no_index for what is none: CUPTI itself writes 4294967295.
constexpr std::uint32_t id_of(std::optional<std::int64_t> stored) {
  const bool is_one = stored && 0 <= *stored && *stored < no_index;
  return is_one ? static_cast<std::uint32_t>(*stored) : no_index;
}

template <class Row>
bool has_table(schema::Database& database) {
  return database.has_table(schema::describe<Row>.name);
}

// At least as many rows as the table has, without counting them; 0 when that is not known.
template <class Row>
std::int64_t rows_at_most(schema::Database& database) {
  if (!has_table<Row>(database)) return 0;
  try {
    const auto last =
        database.query_int64("SELECT max(rowid) FROM " + std::string(schema::describe<Row>.name));
    // A row takes some bytes of the file, so that an absurd id cannot ask for absurd memory.
    const auto pages = database.query_int64("PRAGMA page_count").value_or(0);
    const auto page = database.query_int64("PRAGMA page_size").value_or(0);
    return std::clamp<std::int64_t>(last.value_or(0), 0, pages * page / 8);
  } catch (const schema::SqliteError&) {
    return 0;  // a view, or a table without row ids
  }
}

// Calls f with each row, whose selected columns are set, and returns how many there are. A table
// that is absent has no rows. They come as they stand in the file, or by `order`: numbers of
// columns. `progress` may be null. Values that a column cannot have are noted with the database.
template <class Columns, class F>
std::int64_t for_each_row(schema::Database& database, F&& f, const std::string& order = "",
                          Progress* progress = nullptr) {
  using Row = typename Columns::row;
  if (!has_table<Row>(database)) return 0;
  // 128 KiB: a page that was stepped through is done with.
  database.execute("PRAGMA cache_size = -128");
  constexpr std::int64_t batch = 1 << 14;
  std::int64_t rows_since = 0;
  std::int64_t all = 0;
  schema::Statement rows(database,
                         Columns::sql(database) + (order.empty() ? "" : " ORDER BY ") + order);
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
