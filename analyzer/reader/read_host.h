#pragma once

#include "analyzer/model/trace.h"
#include "analyzer/reader/progress.h"
#include "analyzer/reader/read_callbacks.h"
#include "analyzer/reader/read_calls.h"
#include "analyzer/reader/read_synchronization.h"
#include "collector/schema/sqlite.h"

namespace lapscope::analyzer {

// Every text of the trace. Texts that stand in their own rows are added by read_host.
Names read_names(schema::Database& database);

// What the host did, as far as the tables are there. Times that cannot be believed are left out and
// counted.
struct ReadHost {
  ReadCalls calls;
  ReadSynchronization synchronization;
  std::vector<CallStream> call_streams;
  Topology topology;
  Overheads overheads;
  NvtxRanges ranges;
  // Names of ranges that are not in StringIds; NvtxRange::name counts on from Names::size().
  std::vector<std::string> own_names;
  std::int64_t invalid = 0;
};

ReadHost read_host(schema::Database& database, const Names& names, Progress* progress);

}  // namespace lapscope::analyzer
