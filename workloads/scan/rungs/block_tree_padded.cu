#include "workloads/scan/rungs/ladder.h"
#include "workloads/scan/rungs/tree_block.cuh"

namespace lapscope::workloads::scan {

const Rung block_tree_padded =
    tree_block_rung<PaddedLayout>("block-tree-padded",
                                  "the same, with an unused element after every 32 against bank "
                                  "conflicts; 2048 elements at most");

}  // namespace lapscope::workloads::scan
