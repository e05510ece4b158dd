#include "workloads/scan/tune/design.cuh"

namespace lapscope::workloads::scan {

std::vector<Candidate> bulk_candidates() {
  return {
      candidate<Bulk<512, 4, NoLook, 3, 2>>(),
      candidate<Bulk<512, 4, WarpLook<4>, 3, 2>>(),
      candidate<Bulk<512, 4, WarpLook<8>, 3, 2>>(),
      candidate<Bulk<512, 4, WarpLook<4>, 2, 2>>(),
      candidate<Bulk<512, 4, WarpLook<4>, 3, 2, Caching::normal>>(),
      candidate<Bulk<512, 4, WarpLook<4, 100>, 3, 2>>(),
      candidate<Bulk<512, 4, WarpLook<4>, 6, 1>>(),
      candidate<Bulk<512, 2, WarpLook<8>, 4, 3>>(),
      candidate<Bulk<512, 8, WarpLook<4>, 3, 1>>(),
      candidate<Bulk<256, 4, WarpLook<8>, 3, 4>>(),
      candidate<Bulk<256, 4, WarpLook<8>, 2, 5>>(),
      candidate<Bulk<256, 4, WarpLook<8>, 4, 3>>(),
      candidate<Bulk<256, 8, WarpLook<4>, 2, 3>>(),
      candidate<Bulk<256, 8, WarpLook<4>, 3, 2>>(),
      candidate<Bulk<128, 8, WarpLook<8>, 3, 4>>(),
      candidate<Bulk<960, 4, WarpLook<4>, 3, 1>>(),
  };
}

}  // namespace lapscope::workloads::scan
