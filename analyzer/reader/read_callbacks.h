#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/model/trace.h"
#include "analyzer/reader/read_calls.h"
#include "collector/schema/sqlite.h"

namespace lapscope::analyzer {

// The streams of host functions and graph launches, by call, as far as their calls are in the
// trace. None in traces of other tools and older ones, which have no such tables.
std::vector<CallStream> read_call_streams(schema::Database& database, const ReadCalls& calls);

// Likewise.
Topology read_topology(schema::Database& database);

}  // namespace lapscope::analyzer
