#include "workloads/scan/problem/problems.h"
#include "workloads/scan/rungs/ladder.h"
#include "workloads/scan/rungs/single_pass_launch.cuh"

namespace lapscope::workloads::scan {
namespace {

// Two stages of 31.5 KiB, which every GPU from sm_75 on has; two blocks fit on a multiprocessor
// from sm_80 on, sm_86 and its like excepted. 2^22 results of 8 bytes are 3.94 turns for each block
// of an H200: little is lost to a last turn that not all blocks have.
template <typename P>
using Tile = TileRegisters<P, 224, 9, Caching::normal, Caching::streaming>;

template <typename P>
using Scan = EarlyScan<Tile<P>, AsyncLoader<Tile<P>, 2>, CarriedPrefix<5>>;

}  // namespace

const Rung contender{
    .name = "contender",
    .change =
        "blocks stay, publish the next total before they wait for a prefix, and carry their own on",
    .passes = [](std::uint64_t) { return 2.0; },
    .depth = single_pass_depth<Tile<F32<Sum>>::size>,
    .supports = contains<AllProblems>,
    .scan =
        [](const ScanCall& call) {
          if (call.n == 0) return;
          with_problem(AllProblems{}, call.combination,
                       [&]<typename P>(P) { launch_early<Scan<P>, 2>(call); });
        },
    .tile = Tile<U32<Sum>>::size,
    .takes_seed = true,
    .single_pass = true};

}  // namespace lapscope::workloads::scan
