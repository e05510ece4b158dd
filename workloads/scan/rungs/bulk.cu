#include "workloads/scan/device/bulk_loader.cuh"
#include "workloads/scan/problem/problems.h"
#include "workloads/scan/rungs/ladder.h"
#include "workloads/scan/rungs/single_pass_launch.cuh"

namespace lapscope::workloads::scan {
namespace {

template <typename P>
using Tile = TileRegisters<P, 480, 4, Caching::normal, Caching::normal>;

template <typename P>
using Scan = EarlyScan<Tile<P>, BulkLoader<Tile<P>, 3>, CarriedPrefix<5>>;

using BulkProblems = Problems<U32<Sum>, U64<Sum>, F32<Sum>, U32<Affine>, U64<Affine>>;

// What counts is the code that was loaded: a newer GPU may run the one without bulk copies.
bool has_bulk_copies() {
  cudaFuncAttributes loaded{};
  check(cudaFuncGetAttributes(&loaded, scan_early<Scan<U32<Sum>>, 2>),
        "load the kernel scan_early");
  return loaded.ptxVersion >= 90;
}

}  // namespace

const Rung bulk{
    .name = "bulk-copies",
    .change = "the same with Hopper's bulk copies: one thread has the hardware fetch a whole tile",
    .passes = [](std::uint64_t) { return 2.0; },
    .depth = single_pass_depth<Tile<U64<Sum>>::size>,
    .supports = contains<BulkProblems>,
    .scan =
        [](const ScanCall& call) {
          if (call.n == 0) return;
          with_problem(BulkProblems{}, call.combination,
                       [&]<typename P>(P) { launch_early<Scan<P>, 2>(call); });
        },
    .tile = Tile<U32<Sum>>::size,
    .takes_seed = true,
    .single_pass = true,
    .runs_here = has_bulk_copies};

}  // namespace lapscope::workloads::scan
