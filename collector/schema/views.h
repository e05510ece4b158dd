#pragma once

#include <span>
#include <string>
#include <string_view>

#include "collector/schema/sqlite.h"
#include "collector/schema/table.h"

// What SQL asks of a trace without knowing its tables. Views have rows as they were recorded: what
// an analysis corrects or leaves out of them is in its results, not here.
namespace lapscope::schema {

struct ViewInfo {
  TableInfo table;
  // A SELECT with those columns, of what tables and columns the database has.
  std::string (*select)(Database& database);
};

std::span<const ViewInfo> views();

enum class ViewPlace {
  in_file,        // part of the trace
  of_connection,  // gone with the connection, and before views with the same names in the file
};

// Creates the views; replaces existing ones with their names. Throws SqliteError.
void create_views(Database& database, ViewPlace place);

}  // namespace lapscope::schema
