#pragma once

#include <vector>

#include "analyzer/model/trace.h"
#include "collector/schema/sqlite.h"

// Derives contexts and streams from the rows of ops, for traces without tables of contexts or
// streams.
namespace lapscope::analyzer {

// Returns the contexts by process and id. Their null streams are unknown.
std::vector<CudaContext> contexts_of_ops(schema::Database& database);

// Assigns a context to each stream without one, if all ops of the stream have the same context. A
// wait for the context then covers the stream. Does nothing for a trace without waits.
void place_streams(schema::Database& database, Trace& trace);

}  // namespace lapscope::analyzer
