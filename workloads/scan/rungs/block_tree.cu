#include "workloads/scan/rungs/ladder.h"
#include "workloads/scan/rungs/tree_block.cuh"

namespace lapscope::workloads::scan {

const Rung block_tree = tree_block_rung<PlainLayout>(
    "block-tree",
    "up-sweep and down-sweep in one block: 2n combinations, but bank conflicts; 2048 elements at "
    "most");

}  // namespace lapscope::workloads::scan
