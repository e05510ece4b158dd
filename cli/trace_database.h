#pragma once

#include <string>

#include "collector/schema/sqlite.h"

namespace lapscope::cli {

// Opens a trace of any format for the user's SQL, read-only, with the views of
// collector/schema/views.h. The views exist only in this connection. A file that is no database is
// imported into an unnamed database. Throws a std::exception with a sentence for the user. If a
// part of the file was not read, prints a line on standard error.
schema::Database database_for_sql(const std::string& file);

}  // namespace lapscope::cli
