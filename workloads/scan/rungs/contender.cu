#include "workloads/scan/problem/problems.h"
#include "workloads/scan/rungs/ladder.h"
#include "workloads/scan/rungs/single_pass_launch.cuh"

namespace lapscope::workloads::scan {
namespace {

template <typename P, unsigned Threads, unsigned Rows>
using Tile = TileRegisters<P, Threads, Rows, Caching::normal, Caching::normal>;

template <typename Tile>
using Scan = EarlyScan<Tile, AsyncLoader<Tile, 2>, CarriedPrefix<5>>;

// Two stages of 28 KiB, which every GPU from sm_75 on has; two blocks fit on a multiprocessor from
// sm_80 on, sm_86 and its like excepted.
template <typename P>
using Small = Tile<P, 224, 8>;

// Two stages of 75 KiB: one block on a multiprocessor, with the registers for more rows. Results of
// 8 bytes come in half as many to a tile, and so twice as many tiles ask for their prefix: here a
// larger tile pays.
template <typename P>
using Large = Tile<P, 480, 10>;

template <typename P>
void scan_tiles(const ScanCall& call) {
  if constexpr (sizeof(typename P::Acc) == 8) {
    // sm_75 and sm_86 have no room for it. And an array that is over in one turn wants many blocks.
    static const bool fits = fits_a_block<Scan<Large<P>>>();
    const unsigned blocks = resident_blocks_of<Scan<Small<P>>, 2>();
    if (fits && tiles_of(call.n, Small<P>::size) > blocks) {
      return launch_early<Scan<Large<P>>, 1>(call);
    }
  }
  launch_early<Scan<Small<P>>, 2>(call);
}

}  // namespace

const Rung contender{
    .name = "contender",
    .change =
        "blocks stay, publish the next total before they wait for a prefix, and carry their own on",
    .passes = [](std::uint64_t) { return 2.0; },
    .depth = single_pass_depth<Small<F32<Sum>>::size>,
    .supports = contains<AllProblems>,
    .scan =
        [](const ScanCall& call) {
          if (call.n == 0) return;
          with_problem(AllProblems{}, call.combination,
                       [&]<typename P>(P) { scan_tiles<P>(call); });
        },
    .tile = Small<U32<Sum>>::size,
    .takes_seed = true,
    .single_pass = true};

}  // namespace lapscope::workloads::scan
