#pragma once

#include <string>

#include "collector/schema/sqlite.h"

namespace lapscope::cli {

// Opens a trace of any format read-only for the user's SQL. Adds the views of
// collector/schema/views.h to this connection. Imports a file that is no database into an unnamed
// database. Throws a std::exception with a sentence. If a part of the file was not read, prints a
// line on standard error.
schema::Database database_for_sql(const std::string& file);

}  // namespace lapscope::cli
