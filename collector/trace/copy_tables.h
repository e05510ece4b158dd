#pragma once

#include "collector/schema/sqlite.h"

namespace lapscope::trace {

// Copies the tables of the format that `from` has, with all of their columns and cells, whatever
// these hold, in the order of their rows: what reads one database reads the same in the other.
// Tables that the format does not have stay behind; those of other tools hold the environment of
// the program. `to` is empty. Throws schema::SqliteError.
void copy_tables(schema::Database& from, schema::Database& to);

}  // namespace lapscope::trace
