#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "collector/schema/sqlite.h"

namespace lapscope::analyzer::nsys {

// Reads the rows of an export's table by column names. Use it for tables that only Nsight Systems
// writes, and for the layouts of its older releases. Tables of lapscope's own traces are declared
// in collector/schema.
//
//   Rows rows(database, "DIAGNOSTIC_EVENT", {"severity", "text"});
//   while (rows.step()) use(rows.integer(0), rows.text(1));
//
// A table that is absent has no rows. A column that is absent reads as NULL.
class Rows {
 public:
  // `order` is the expression after ORDER BY. If it is empty, rows come in the order of the file.
  Rows(schema::Database& database, std::string_view table,
       std::initializer_list<std::string_view> columns, std::string_view order = "");

  bool step() { return statement_ && statement_->step(); }
  std::optional<std::int64_t> integer(int column) const { return statement_->integer(column); }
  std::string text(int column) const { return std::string(statement_->text(column)); }

 private:
  std::optional<schema::Statement> statement_;
};

// Returns the number of rows of a table; 0 if the table is absent.
std::int64_t count_rows(schema::Database& database, std::string_view table);

}  // namespace lapscope::analyzer::nsys
