#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

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

// Calls f with a statement that stands at each row of the selected columns, in the order of the
// file, and returns how many there are. A table that is absent has no rows. `progress` may be null.
template <class Columns, class Row, class F>
std::int64_t step_through(schema::Database& database, Progress* progress, F&& f) {
  if (!has_table<Row>(database)) return 0;
  // 128 KiB: a page that was stepped through is done with.
  database.execute("PRAGMA cache_size = -128");
  constexpr std::int64_t batch = 1 << 14;
  std::int64_t rows_since = 0;
  std::int64_t all = 0;
  schema::Statement rows(database, Columns::sql(database));
  while (rows.step()) {
    f(rows);
    ++all;
    if (++rows_since < batch) continue;
    if (progress) progress->done += rows_since;
    rows_since = 0;
  }
  if (progress) progress->done += rows_since;
  return all;
}

// Calls f with the selected columns of each row as arguments.
template <class Columns, class Row, class F>
std::int64_t for_each_row(schema::Database& database, Progress* progress, F&& f) {
  return step_through<Columns, Row>(database, progress, [&f](const schema::Statement& rows) {
    std::apply(f, Columns::values(rows));
  });
}

// Calls f with each row, of which the selected columns are set: for many columns.
template <class Columns, class Row, class F>
std::int64_t for_each_whole_row(schema::Database& database, Progress* progress, F&& f) {
  Row row;
  return step_through<Columns, Row>(database, progress, [&](const schema::Statement& rows) {
    Columns::read(rows, row);
    f(std::as_const(row));
  });
}

}  // namespace lapscope::analyzer
