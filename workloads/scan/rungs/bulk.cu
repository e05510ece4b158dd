#include "workloads/scan/problem/problems.h"
#include "workloads/scan/rungs/ladder.h"
#include "workloads/scan/rungs/single_pass_launch.cuh"

namespace lapscope::workloads::scan {
namespace {

template <typename P>
using Tile = TileRegisters<P, 512, 4>;

using BulkProblems = Problems<U32<Sum>, U64<Sum>, F32<Sum>, U32<Affine>, U64<Affine>>;

// What counts is the code that was loaded: a newer GPU may run the one without bulk copies.
bool has_bulk_copies() {
  cudaFuncAttributes loaded{};
  check(cudaFuncGetAttributes(&loaded, scan_bulk<Tile<U32<Sum>>, WarpLook<8>, 3, 1>),
        "load the kernel scan_bulk");
  return loaded.ptxVersion >= 90;
}

}  // namespace

const Rung bulk{
    .name = "bulk-copies",
    .change = "Hopper's bulk copies, and warps with roles: copying, looking back, scanning",
    .passes = [](std::uint64_t) { return 2.0; },
    .depth = single_pass_depth<Tile<U64<Sum>>::size>,
    .supports = contains<BulkProblems>,
    .scan =
        [](const ScanCall& call) {
          if (call.n == 0) return;
          with_problem(BulkProblems{}, call.combination,
                       [&]<typename P>(P) { launch_bulk<Tile<P>, WarpLook<8>, 3, 1>(call); });
        },
    .tile = Tile<U32<Sum>>::size,
    .takes_seed = true,
    .single_pass = true,
    .runs_here = has_bulk_copies};

}  // namespace lapscope::workloads::scan
