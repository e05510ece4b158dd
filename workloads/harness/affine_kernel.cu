#include "workloads/harness/affine_kernel.h"
#include "workloads/harness/cuda_check.h"

namespace lapscope::workloads {
namespace {

// One block on each multiprocessor, which holds 2,048 threads: the cycles of a block are then those
// of the multiprocessor. Of several blocks the first would finish early, its warps being served
// first.
constexpr unsigned threads_per_block = 1024;

// Two warps for each of the four schedulers of a multiprocessor, with four operations each that do
// not depend on each other, keep its pipes busy, too.
constexpr unsigned threads_of_small_block = 256;

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

AffineKernel::AffineKernel(int multiprocessors, Waves waves)
    : multiprocessors_(static_cast<unsigned>(multiprocessors)), waves_(waves) {
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, iterate_affine), "load the kernel iterate_affine");
  if (waves == Waves::one) return;
  int device = 0;
  int most = 0;
  check(cudaGetDevice(&device), "find the current device");
  check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
        "find how much shared memory a block may have");
  check(cudaFuncSetAttribute(iterate_affine, cudaFuncAttributeMaxDynamicSharedMemorySize, most),
        "let the kernel iterate_affine have that much shared memory");
  shared_bytes_ = static_cast<std::size_t>(most);
}

void AffineKernel::launch(std::uint32_t* data, std::size_t count, AffineMap map,
                          std::uint32_t iterations, cudaStream_t stream,
                          std::uint64_t* cycles) const {
  const std::size_t vectors = count / 4;
  const auto small_blocks =
      static_cast<unsigned>((vectors + threads_of_small_block - 1) / threads_of_small_block);
  const bool one_wave = waves_ == Waves::one;
  const unsigned blocks = one_wave ? multiprocessors_ : small_blocks;
  const unsigned threads = one_wave ? threads_per_block : threads_of_small_block;
  iterate_affine<<<blocks, threads, shared_bytes_, stream>>>(reinterpret_cast<uint4*>(data),
                                                             vectors, map, iterations, cycles);
  check(cudaGetLastError(), "launch the kernel iterate_affine");
}

}  // namespace lapscope::workloads
