#pragma once

#include "collector/schema/sqlite.h"

namespace lapscope::trace {

// Copies the tables of the format that `from` has, and those of exports of Nsight Systems that are
// read besides, with all of their columns and cells, whatever these hold, in the order of their
// rows: what reads one database reads the same in the other. All other tables stay behind; those
// of exports hold the environment of the program. `to` is empty. Throws schema::SqliteError.
void copy_tables(schema::Database& from, schema::Database& to);

}  // namespace lapscope::trace
