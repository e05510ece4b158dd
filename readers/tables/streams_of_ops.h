#pragma once

#include <vector>

#include "analyzer/model/trace.h"
#include "collector/schema/sqlite.h"

// What the rows of ops tell of contexts and streams, for traces without tables of them.
namespace lapscope::analyzer {

// By process and id. Null streams are not known.
std::vector<CudaContext> contexts_of_ops(schema::Database& database);

// Streams of which no context is known get the one that all of their ops are of, so that a wait for
// a context is one for them. Does nothing for a trace that tells of no waits.
void place_streams(schema::Database& database, Trace& trace);

}  // namespace lapscope::analyzer
