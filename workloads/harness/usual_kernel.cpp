#include "workloads/harness/usual_kernel.h"

#include <algorithm>

#include "workloads/harness/device.h"
#include "workloads/harness/handles.h"
#include "workloads/harness/timed_kernels.h"
#include "workloads/harness/usual_kinds.h"

namespace lapscope::workloads {
namespace {

std::unique_ptr<UsualKernel> made(UsualKind kind, unsigned blocks, std::size_t lanes) {
  switch (kind) {
    case UsualKind::gemm:
      return make_gemm(blocks, lanes);
    case UsualKind::map:
      return make_map(blocks, lanes);
    case UsualKind::reduction:
      return make_reduction(blocks, lanes);
    case UsualKind::arithmetic:
      return make_arithmetic(blocks, lanes);
    case UsualKind::reads:
      break;
  }
  return make_reads(blocks, lanes);
}

}  // namespace

std::unique_ptr<UsualKernel> make_usual_kernel(UsualKind kind, GpuShare share, int multiprocessors,
                                               std::size_t lanes) {
  auto kernel = made(kind, blocks_of(share, multiprocessors), lanes);
  check(cudaDeviceSynchronize(), "wait for memory to be filled");
  const Stream stream(StreamKind::non_blocking);
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    kernel->launch(lane, kernel->works().small, stream.get());
  }
  check(cudaStreamSynchronize(stream.get()), "wait for a kernel's first launch");
  return kernel;
}

std::uint32_t work_for(UsualKernel& kernel, double us, cudaStream_t stream) {
  const auto works = kernel.works();
  const auto probe = [&](std::uint32_t work) {
    return Probe{static_cast<double>(work),
                 stream_us(stream, [&] { kernel.launch(0, work, stream); })};
  };
  const Probe small = probe(works.small);
  return std::min(works.most, fit_linear_cost(small, probe(works.large)).units_for(us));
}

}  // namespace lapscope::workloads
