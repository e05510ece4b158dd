#pragma once

#include <cstdint>
#include <map>

#include "analyzer/model/trace.h"
#include "analyzer/reader/read_host.h"
#include "collector/schema/sqlite.h"

namespace lapscope::analyzer {

struct ReadOps {
  std::map<std::int64_t, Ops> by_device;
  std::int64_t invalid = 0;   // ops left out because their times cannot be believed
  std::int64_t unissued = 0;  // ops whose issuing call is not in the trace
};

// All kernels, copies and memsets of a trace, joined with the calls that issued them. Tables that
// are absent hold nothing.
ReadOps read_ops(schema::Database& database, const ReadHost& host);

}  // namespace lapscope::analyzer
