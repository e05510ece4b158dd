#pragma once

#include <cstdint>
#include <map>

#include "analyzer/model/trace.h"
#include "collector/schema/sqlite.h"

namespace lapscope::analyzer {

struct ReadOps {
  std::map<std::int64_t, Ops> by_device;
  std::int64_t invalid = 0;  // ops left out because their times cannot be believed
};

// All kernels, copies and memsets of a trace. Tables that are absent hold nothing.
ReadOps read_ops(schema::Database& database);

}  // namespace lapscope::analyzer
