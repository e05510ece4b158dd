#include "workloads/scan/problem/problems.h"
#include "workloads/scan/rungs/ladder.h"
#include "workloads/scan/rungs/single_pass_launch.cuh"

namespace lapscope::workloads::scan {
namespace {

// 15 warps that scan and one that finds the prefix, twice on a multiprocessor: 32 warps, so that a
// thread may have 64 registers. Two stages are 60 KiB, which every GPU from sm_75 on has.
template <typename P>
using Tile = TileRegisters<P, 480, 4, Caching::normal, Caching::normal>;

template <typename P>
using Scan = EarlyScan<Tile<P>, AsyncLoader<Tile<P>, 2>, CarriedPrefix<5>>;

}  // namespace

const Rung contender{
    .name = "contender",
    .change =
        "blocks stay, publish the next total before they wait for a prefix, and carry their own on",
    .passes = [](std::uint64_t) { return 2.0; },
    .depth = single_pass_depth<Tile<U64<Sum>>::size>,
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
