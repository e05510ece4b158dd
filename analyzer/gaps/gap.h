#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "analyzer/intervals/interval_set.h"
#include "analyzer/model/cause.h"
#include "analyzer/model/ops.h"

namespace lapscope::analyzer {

// A stretch of a gap with one cause. The parts of a gap follow each other and fill it.
struct GapPart {
  Interval interval;
  Cause cause = Cause::unexplained;
  std::uint32_t call = no_index;    // in Trace::calls: the call that held a thread up
  std::uint32_t thread = no_index;  // in Calls::threads: the one that was held up, or busy
};

// A maximal stretch of the window in which the device did nothing.
struct Gap {
  Interval interval;
  std::uint32_t next_op = no_index;  // what ended it; no_index at the end of a window
  std::vector<GapPart> parts;        // none where nobody explained it
};

using TimeByCause = std::array<std::int64_t, cause_count>;

// All gaps of a scope. total_ns is the scope's idle time exactly.
struct Gaps {
  std::int64_t count = 0;
  std::int64_t total_ns = 0;
  std::int64_t short_count = 0;  // gaps below the limit are not looked into
  std::int64_t short_ns = 0;
  std::optional<TimeByCause> by_cause;  // the rest of total_ns; empty where nobody explained it
  std::vector<Gap> longest;             // longest first
};

}  // namespace lapscope::analyzer
