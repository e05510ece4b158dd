#pragma once

#include "collector/nvtx/early_ranges.h"

namespace lapscope::nvtx {

// The ranges of this process.
EarlyRanges& early_ranges();

// Has `initialize` (CUPTI's NVTX entry point) put its functions into the tables of a module that
// uses NVTX, and ours in front of those that can bring a payload and, if `watch`, of all that open
// and close ranges. `get_export_table` is what NVTX hands to an entry point; may be null. Returns
// what `initialize` does.
int initialize_watched(void* get_export_table, int (*initialize)(void*), bool watch);

}  // namespace lapscope::nvtx
