#pragma once

#include "analyzer/model/trace.h"
#include "analyzer/reader/issue_index.h"
#include "collector/schema/sqlite.h"

namespace lapscope::analyzer {

// What the host did, as far as the tables are there. Times that cannot be believed are left out and
// counted.
struct ReadHost {
  Names names;
  Calls calls;
  IssueIndex issues;
  Overheads overheads;
  NvtxRanges ranges;
  std::int64_t invalid = 0;
};

ReadHost read_host(schema::Database& database);

}  // namespace lapscope::analyzer
