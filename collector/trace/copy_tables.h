#pragma once

#include <string_view>

#include "collector/schema/sqlite.h"

namespace lapscope::trace {

// Makes `to`, which is empty, a trace of the tables of the format that `from` has, and of the
// tables of exports of Nsight Systems that are read besides, with all of their columns and cells,
// whatever these hold, in the order of their rows: what reads one database reads the same in the
// other. All other tables stay behind; tables of exports hold the environment of the program.
// `format` is what `from` is in, if that is none of lapscope's own: then it is noted. Throws
// schema::SqliteError.
void copy_tables(schema::Database& from, schema::Database& to, std::string_view format = "");

}  // namespace lapscope::trace
