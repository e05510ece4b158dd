#include "workloads/scan/tune/design.cuh"

namespace lapscope::workloads::scan {

std::vector<Candidate> classic_candidates() {
  constexpr Caching normal = Caching::normal;
  constexpr Caching streaming = Caching::streaming;
  return {
      candidate<Classic<256, 4, NoLook, 4>>(),
      candidate<Classic<256, 4, NoLook, 4, normal, normal>>(),
      candidate<Classic<512, 4, NoLook, 2>>(),
      candidate<Classic<256, 4, WarpLook<1>, 4>>(),
      candidate<Classic<256, 4, WarpLook<4>, 4>>(),
      candidate<Classic<256, 4, WarpLook<8>, 4>>(),
      candidate<Classic<256, 4, WarpLook<4, 100>, 4>>(),
      candidate<Classic<256, 4, WarpLook<4>, 6>>(),
      candidate<Classic<256, 4, WarpLook<4>, 4, normal, normal>>(),
      candidate<Classic<256, 4, WarpLook<4>, 4, normal, streaming>>(),
      candidate<Classic<256, 8, WarpLook<4>, 3>>(),
      candidate<Classic<384, 5, WarpLook<4>, 3>>(),
      candidate<Classic<512, 4, WarpLook<1>, 2>>(),
      candidate<Classic<512, 4, WarpLook<4>, 2>>(),
      candidate<Classic<512, 4, WarpLook<4>, 3>>(),
      candidate<Classic<512, 8, WarpLook<4>, 1>>(),
      candidate<Classic<1024, 2, WarpLook<4>, 2>>(),
      candidate<Classic<1024, 4, WarpLook<4>, 1>>(),
      candidate<Classic<128, 8, WarpLook<8>, 6>>(),
  };
}

}  // namespace lapscope::workloads::scan
