#pragma once

#include "analyzer/model/calls.h"
#include "analyzer/model/names.h"
#include "analyzer/reader/issue_index.h"
#include "analyzer/reader/progress.h"
#include "collector/schema/sqlite.h"

namespace lapscope::analyzer {

struct ReadCalls {
  Calls calls;
  IssueIndex issues;
  std::int64_t invalid = 0;  // calls left out because their times cannot be believed
};

// The API calls of all threads. At most 40 bytes a call while reading.
ReadCalls read_calls(schema::Database& database, const Names& names, Progress* progress);

}  // namespace lapscope::analyzer
