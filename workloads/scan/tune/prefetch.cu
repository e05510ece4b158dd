#include "workloads/scan/tune/design.cuh"

namespace lapscope::workloads::scan {

std::vector<Candidate> prefetch_candidates() {
  return {
      candidate<Prefetching<512, 4, NoLook, 1, 2>>(),
      candidate<Prefetching<512, 4, WarpLook<1>, 1, 2>>(),
      candidate<Prefetching<512, 4, WarpLook<4>, 1, 2>>(),
      candidate<Prefetching<512, 4, WarpLook<8>, 1, 2>>(),
      candidate<Prefetching<512, 4, WarpLook<4, 100>, 1, 2>>(),
      candidate<Prefetching<512, 4, WarpLook<4>, 1, 2, Caching::normal>>(),
      candidate<Prefetching<512, 4, WarpLook<4>, 2, 2>>(),
      candidate<Prefetching<512, 2, WarpLook<4>, 2, 3>>(),
      candidate<Prefetching<512, 3, WarpLook<4>, 1, 3>>(),
      candidate<Prefetching<512, 8, WarpLook<4>, 1, 1>>(),
      candidate<Prefetching<256, 4, WarpLook<8>, 1, 4>>(),
      candidate<Prefetching<256, 4, WarpLook<8>, 2, 4>>(),
      candidate<Prefetching<256, 4, WarpLook<8>, 1, 6>>(),
      candidate<Prefetching<256, 8, WarpLook<4>, 1, 3>>(),
      candidate<Prefetching<1024, 4, WarpLook<4>, 1, 1>>(),
      candidate<Prefetching<1024, 2, WarpLook<4>, 1, 2>>(),
      candidate<Prefetching<1024, 2, WarpLook<4>, 2, 2>>(),
  };
}

}  // namespace lapscope::workloads::scan
