#include "readers/tables/scan.h"

#include <algorithm>

namespace lapscope::analyzer {

std::int64_t rows_at_most(schema::Database& database, const std::string& table) {
  if (!database.has_table(table)) return 0;
  try {
    const auto last = database.query_int64("SELECT max(rowid) FROM " + table);
    // Row ids may be absurdly high. Each row is assumed to take at least 8 bytes, so the size of
    // the file gives a bound, too.
    const auto pages = database.query_int64("PRAGMA page_count").value_or(0);
    const auto page = database.query_int64("PRAGMA page_size").value_or(0);
    return std::clamp<std::int64_t>(last.value_or(0), 0, pages * page / 8);
  } catch (const schema::SqliteError&) {
    return 0;  // a view, or a table without row ids
  }
}

schema::Statement rows_once(schema::Database& database, const std::string& sql,
                            const std::string& order) {
  // 128 KiB suffice: no page is read twice.
  database.execute("PRAGMA cache_size = -128");
  return {database, sql + (order.empty() ? "" : " ORDER BY ") + order};
}

}  // namespace lapscope::analyzer
