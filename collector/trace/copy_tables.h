#pragma once

#include <string_view>

#include "collector/schema/sqlite.h"

namespace lapscope::trace {

// Copies a trace from `from` to `to`, which must be empty. Copies the tables of the trace format,
// and the tables of Nsight Systems' exports that lapscope reads. All columns and cells are copied
// unchanged, in the order of the rows. So readers find the same data in both databases. Leaves out
// other tables. In exports, some of them contain the environment variables of the program. If
// `from` is not in lapscope's own format, pass the name of its format as `format`. This name
// becomes the fact converted-from. Throws schema::SqliteError.
void copy_tables(schema::Database& from, schema::Database& to, std::string_view format = "");

}  // namespace lapscope::trace
