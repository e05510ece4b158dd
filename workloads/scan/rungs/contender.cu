#include "workloads/scan/problem/problems.h"
#include "workloads/scan/rungs/ladder.h"
#include "workloads/scan/rungs/single_pass_launch.cuh"

namespace lapscope::workloads::scan {
namespace {

template <typename P>
using Tile = TileRegisters<P, 512, 4>;

}  // namespace

const Rung contender{
    .name = "contender",
    .change = "large tiles, wide windows, and the next tile under way during the look-back",
    .passes = [](std::uint64_t) { return 2.0; },
    .depth = single_pass_depth<Tile<U64<Sum>>::size>,
    .supports = contains<AllProblems>,
    .scan =
        [](const ScanCall& call) {
          if (call.n == 0) return;
          with_problem(AllProblems{}, call.combination, [&]<typename P>(P) {
            launch_prefetching<Tile<P>, WarpLook<4>, 1, 2>(call);
          });
        },
    .tile = Tile<U32<Sum>>::size,
    .takes_seed = true,
    .single_pass = true};

}  // namespace lapscope::workloads::scan
