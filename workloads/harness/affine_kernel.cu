#include "workloads/harness/affine_kernel.h"
#include "workloads/harness/cuda_check.h"

namespace lapscope::workloads {
namespace {

// One block on each multiprocessor, which holds 2,048 threads: the cycles of a block are then those
// of the multiprocessor. Of several blocks the first would finish early, its warps being served
// first.
constexpr unsigned threads_per_block = 1024;

}  // namespace

// Outside the unnamed namespace to keep its name short in a trace.
// The map is an argument, not a constant: with constants, the compiler could fold several steps
// into one multiplication. Four elements at a time hide the latency of memory.
__global__ void iterate_affine(uint4* data, std::size_t count, AffineMap map,
                               std::uint32_t iterations, std::uint64_t* cycles) {
  const std::int64_t begin = clock64();
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) {
    uint4 x = data[i];
#pragma unroll 4
    for (std::uint32_t k = 0; k < iterations; ++k) {
      x.x = x.x * map.multiplier + map.increment;
      x.y = x.y * map.multiplier + map.increment;
      x.z = x.z * map.multiplier + map.increment;
      x.w = x.w * map.multiplier + map.increment;
    }
    data[i] = x;
  }
  if (cycles != nullptr) {
    __syncthreads();
    if (blockIdx.x == 0 && threadIdx.x == 0) {
      *cycles = static_cast<std::uint64_t>(clock64() - begin);
    }
  }
}

AffineKernel::AffineKernel(int multiprocessors) : blocks_(static_cast<unsigned>(multiprocessors)) {
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, iterate_affine), "load the kernel iterate_affine");
}

void AffineKernel::launch(std::uint32_t* data, std::size_t count, AffineMap map,
                          std::uint32_t iterations, cudaStream_t stream,
                          std::uint64_t* cycles) const {
  iterate_affine<<<blocks_, threads_per_block, 0, stream>>>(reinterpret_cast<uint4*>(data),
                                                            count / 4, map, iterations, cycles);
  check(cudaGetLastError(), "launch the kernel iterate_affine");
}

}  // namespace lapscope::workloads
