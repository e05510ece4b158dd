#pragma once

#include <string>

#include "collector/schema/sqlite.h"

namespace lapscope::cli {

// A trace of any format for SQL of the user's: with the views of collector/schema/views.h, which
// belong to this connection, and for reading only. A file that is no database is imported into one
// without a name. Throws a std::exception with a sentence for the user; says on standard error what
// of the file was not read.
schema::Database database_for_sql(const std::string& file);

}  // namespace lapscope::cli
