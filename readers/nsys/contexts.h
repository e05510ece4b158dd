#pragma once

#include <vector>

#include "analyzer/model/trace.h"
#include "collector/schema/sqlite.h"

namespace lapscope::analyzer::nsys {

// Returns the contexts of an export from before 2024, ordered by process and id. Such an export has
// a table of null streams instead of a table of contexts.
std::vector<CudaContext> read_null_streams(schema::Database& database);

// Marks the legacy default streams for exports before 2022, which do not record the kind of a
// stream.
void name_null_streams(Trace& trace);

}  // namespace lapscope::analyzer::nsys
