#include "workloads/scan/tune/design.cuh"

namespace lapscope::workloads::scan {
namespace {

template <unsigned Threads, unsigned Rows, unsigned Blocks, Caching Stores = Caching::streaming,
          unsigned Stages = 2>
Candidate wide() {
  return early_candidate<Early<Threads, Rows, Blocks, Stages, CarriedPrefix<5>, Stores>, WideSum>();
}

}  // namespace

// For 2^22 sums of u64 on 132 multiprocessors: so few turns that the last one counts. In brackets
// how many turns a block has there; 3.9 wastes little, 3.3 leaves two thirds of the GPU idle at the
// end.
std::vector<Candidate> wide_candidates() {
  constexpr Caching normal = Caching::normal;
  return {
      wide<480, 10, 1, normal>(),  // 3.31
      wide<224, 8, 2, normal>(),   // 4.43
      wide<224, 8, 2>(),
      wide<448, 9, 1>(),  // 3.94
      wide<224, 9, 2, normal>(),
      wide<224, 9, 2>(),
      wide<288, 7, 2>(),
      wide<320, 5, 2>(),  // 4.97
      wide<480, 8, 1>(),  // 4.14
      candidate<Classic<256, 11, WarpLook<1>, 3>, WideSum>(),
  };
}

}  // namespace lapscope::workloads::scan
