#pragma once

#include <cstdint>

#include "analyzer/model/trace.h"
#include "collector/schema/sqlite.h"

namespace lapscope::analyzer {

// Successful launches of kernels, outside graph captures, of which the trace has no kernel: its
// record was lost without anybody counting it. Of a complete recording by lapscope of the whole
// run; 0 where that cannot be told, as when nobody listened to the making of graphs.
std::int64_t orphan_launches(schema::Database& database, const Trace& trace);

}  // namespace lapscope::analyzer
