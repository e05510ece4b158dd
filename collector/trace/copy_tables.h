#pragma once

#include <string_view>

#include "collector/schema/sqlite.h"

namespace lapscope::trace {

// Copies a trace to `to`, which must be empty. Copies the tables of the trace format and the tables
// of Nsight Systems' exports that lapscope reads, with all columns, unchanged and in order. So
// readers find the same data. Other tables are left out, because some have the environment
// variables of the program.
//
// If `from` is in another format than lapscope's own, `format` is the name of this format. It
// becomes the fact converted-from. Throws schema::SqliteError.
void copy_tables(schema::Database& from, schema::Database& to, std::string_view format = "");

}  // namespace lapscope::trace
