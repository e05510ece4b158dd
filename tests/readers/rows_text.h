#pragma once

#include <string>

#include "collector/schema/sqlite.h"

namespace lapscope::test {

// Returns the result of a query as text. Each row is a line of its cells.
inline std::string rows_text(schema::Database& database, const std::string& sql) {
  std::string text;
  schema::Statement statement(database, sql);
  const auto count = static_cast<int>(statement.column_names().size());
  while (statement.step()) {
    for (int column = 0; column < count; ++column) {
      text += (column == 0 ? "" : " ") +
              (statement.is_null(column) ? "-" : std::string(statement.text(column)));
    }
    text += "\n";
  }
  return text;
}

}  // namespace lapscope::test
