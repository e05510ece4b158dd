#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "collector/schema/sqlite.h"

namespace lapscope::analyzer::nsys {

// Reads columns of a table in an export. Used for tables that collector/schema does not declare:
// those that only Nsight Systems writes, and those of its older releases.
//
//   Rows rows(database, "DIAGNOSTIC_EVENT", {"severity", "text"});
//   while (rows.step()) use(rows.integer(0), rows.text(1));
//
// A table that is absent has no rows. A column that is absent reads as NULL.
class Rows {
 public:
  // `order` is the expression after ORDER BY. If it is empty, rows come in the order of the file.
  Rows(schema::Database& database, std::string_view table,
       std::initializer_list<std::string_view> columns, std::string_view order = "") {
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

  bool step() { return statement_ && statement_->step(); }
  std::optional<std::int64_t> integer(int column) const { return statement_->integer(column); }
  std::string text(int column) const { return std::string(statement_->text(column)); }

 private:
  std::optional<schema::Statement> statement_;
};

}  // namespace lapscope::analyzer::nsys
