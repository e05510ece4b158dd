#include "workloads/scan/tune/design.cuh"

namespace lapscope::workloads::scan {

// Those of this design that did best, and its ceiling.
std::vector<Candidate> classic_candidates() {
  constexpr Caching normal = Caching::normal;
  return {
      candidate<Classic<256, 4, NoLook, 4, normal, normal>>(),
      candidate<Classic<256, 8, WarpLook<1>, 3>>(),
      candidate<Classic<256, 8, WarpLook<4>, 3>>(),
      candidate<Classic<512, 4, WarpLook<1>, 2>>(),
      candidate<Classic<512, 8, WarpLook<4>, 1>>(),
      candidate<Classic<1024, 4, WarpLook<1>, 1>>(),
  };
}

}  // namespace lapscope::workloads::scan
