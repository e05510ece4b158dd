#include "workloads/scan/problem/problems.h"
#include "workloads/scan/rungs/ladder.h"
#include "workloads/scan/rungs/single_pass_launch.cuh"

namespace lapscope::workloads::scan {
namespace {

template <typename P>
using Tile = TileRegisters<P, 256, 1>;

}  // namespace

const Rung look_back_warp{.name = "look-back-warp",
                          .change = "a warp looks back over 32 tiles at a time",
                          .passes = [](std::uint64_t) { return 2.0; },
                          .depth = single_pass_depth<Tile<U64<Sum>>::size>,
                          .supports = contains<AllProblems>,
                          .scan =
                              [](const ScanCall& call) {
                                if (call.n == 0) return;
                                with_problem(AllProblems{}, call.combination, [&]<typename P>(P) {
                                  launch_single_pass<Tile<P>, WarpLook<1>>(call);
                                });
                              },
                          .tile = Tile<U32<Sum>>::size,
                          .takes_seed = true,
                          .single_pass = true};

}  // namespace lapscope::workloads::scan
