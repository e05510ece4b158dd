#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/intervals/interval_set.h"

namespace lapscope::analyzer {

// One NVTX range of the host. A range that was never closed ends where the trace does.
struct NvtxRange {
  Interval interval;
  std::uint32_t name = 0;        // in Trace::names
  std::int64_t global_tid = 0;   // the thread that opened it
  std::int64_t domain = 0;       // 0 is the default one; others are numbered by process
  bool is_process_wide = false;  // a start/end range, which is of no thread
};

using NvtxRanges = std::vector<NvtxRange>;  // by start; of equal starts the longer first

}  // namespace lapscope::analyzer
