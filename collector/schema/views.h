#pragma once

#include <span>
#include <string>

#include "collector/schema/sqlite.h"
#include "collector/schema/table.h"

// Views for users who write SQL without knowing the tables of a trace. The views show all rows as
// recorded, even rows that analyses correct or leave out.
namespace lapscope::schema {

struct ViewInfo {
  TableInfo table;
  // Returns a SELECT statement that has the columns of `table`. The statement uses only tables and
  // columns that the database has.
  std::string (*select)(Database& database);
};

std::span<const ViewInfo> views();

enum class ViewPlace {
  in_file,        // part of the trace
  of_connection,  // temporary; hides views with the same names in the file
};

// Creates the views. Replaces existing views that have the same names. Throws SqliteError.
void create_views(Database& database, ViewPlace place);

}  // namespace lapscope::schema
