#include "workloads/scan/problem/problems.h"
#include "workloads/scan/rungs/ladder.h"
#include "workloads/scan/rungs/single_pass_launch.cuh"

namespace lapscope::workloads::scan {
namespace {

template <typename P>
using Tile = TileRegisters<P, 256, 1>;

}  // namespace

const Rung look_back_thread{
    .name = "look-back-thread",
    .change =
        "a block publishes its total at once; one thread walks back over totals to the nearest "
        "prefix",
    .passes = [](std::uint64_t) { return 2.0; },
    .depth = single_pass_depth<Tile<U64<Sum>>::size>,
    .supports = contains<TeachingProblems>,
    .scan =
        [](const ScanCall& call) {
          if (call.n == 0) return;
          with_problem(TeachingProblems{}, call.combination,
                       [&]<typename P>(P) { launch_single_pass<Tile<P>, ThreadLook>(call); });
        },
    .tile = Tile<U32<Sum>>::size,
    .takes_seed = true,
    .single_pass = true};

}  // namespace lapscope::workloads::scan
