#pragma once

#include "workloads/scan/rungs/rung.h"

namespace lapscope::workloads::scan {

// Each is defined in the file of its name, with its kernels, and registered in ladder.cpp.
extern const Rung cpu_sequential;
extern const Rung cpu_threads;
extern const Rung block_hillis_steele;
extern const Rung block_tree;
extern const Rung block_tree_padded;
extern const Rung global_hillis_steele;
extern const Rung propagate;
extern const Rung reduce;
extern const Rung shuffle;
extern const Rung chained;
extern const Rung look_back_thread;
extern const Rung look_back_warp;
extern const Rung contender;
extern const Rung bulk;
extern const Rung cub_scan;

}  // namespace lapscope::workloads::scan
