#pragma once

#include <vector>

#include "analyzer/model/trace.h"
#include "collector/schema/sqlite.h"

namespace lapscope::analyzer::nsys {

// Contexts of exports before 2024, which have a table of null streams in place of one of contexts.
// By process and id.
std::vector<CudaContext> read_null_streams(schema::Database& database);

// Exports before 2022 do not say what kind a stream is; which one is the legacy default stream they
// do.
void name_null_streams(Trace& trace);

}  // namespace lapscope::analyzer::nsys
