#pragma once

#include "collector/nvtx/early_ranges.h"

namespace lapscope::nvtx {

// Returns the EarlyRanges object of this process.
EarlyRanges& early_ranges();

// Calls `initialize` (CUPTI's NVTX entry point), which puts CUPTI's functions into the function
// tables of a module that uses NVTX. Then replaces some of these functions by functions of
// lapscope. Each replacement calls the function of CUPTI that it replaces. The functions that can
// carry a payload are always replaced. If `watch` is true, all functions that open, close or name
// ranges are replaced, too. `get_export_table` is the argument that NVTX passes to an entry point;
// may be null. Returns the result of `initialize`.
int initialize_watched(void* get_export_table, int (*initialize)(void*), bool watch);

}  // namespace lapscope::nvtx
