#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "collector/schema/sqlite.h"

namespace lapscope::analyzer::nsys {

// The rows of a table of an export, by the names of columns. What a trace of lapscope has is
// declared in collector/schema; this is for what Nsight Systems alone writes, and for what it wrote
// differently in older releases.
//
//   Rows rows(database, "DIAGNOSTIC_EVENT", {"severity", "text"});
//   while (rows.step()) use(rows.integer(0), rows.text(1));
//
// A table that is absent has no rows; a column that is absent is NULL in all.
class Rows {
 public:
  // `order`: what follows ORDER BY; empty for that of the file.
  Rows(schema::Database& database, std::string_view table,
       std::initializer_list<std::string_view> columns, std::string_view order = "");

  bool step() { return statement_ && statement_->step(); }
  std::optional<std::int64_t> integer(int column) const { return statement_->integer(column); }
  std::string text(int column) const { return std::string(statement_->text(column)); }

 private:
  std::optional<schema::Statement> statement_;
};

// The rows that a table has; 0 where it is absent.
std::int64_t count_rows(schema::Database& database, std::string_view table);

}  // namespace lapscope::analyzer::nsys
