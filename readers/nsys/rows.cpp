#include "readers/nsys/rows.h"

namespace lapscope::analyzer::nsys {

Rows::Rows(schema::Database& database, std::string_view table,
           std::initializer_list<std::string_view> columns, std::string_view order) {
  if (!database.has_table(table)) return;
  std::string sql;
  for (const std::string_view column : columns) {
    sql += sql.empty() ? "SELECT " : ", ";
    sql += database.has_column(table, column) ? std::string(column) : "NULL";
  }
  sql += " FROM " + std::string(table);
  if (!order.empty()) sql += " ORDER BY " + std::string(order);
  statement_.emplace(database, sql);
}

std::int64_t count_rows(schema::Database& database, std::string_view table) {
  if (!database.has_table(table)) return 0;
  return database.query_int64("SELECT count(*) FROM " + std::string(table)).value_or(0);
}

}  // namespace lapscope::analyzer::nsys
