#pragma once

#include <vector>

#include "analyzer/model/trace.h"
#include "collector/schema/sqlite.h"

// What the rows of ops show about contexts and streams, for traces without tables of them.
namespace lapscope::analyzer {

// By process and id. Null streams are not known.
std::vector<CudaContext> contexts_of_ops(schema::Database& database);

// Streams whose context is not known get the one that all of their ops have, so that a wait for a
// context includes them. Does nothing for a trace that records no waits.
void place_streams(schema::Database& database, Trace& trace);

}  // namespace lapscope::analyzer
