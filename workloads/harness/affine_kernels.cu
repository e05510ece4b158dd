#include "workloads/harness/affine_kernels.h"

#include <cooperative_groups.h>

#include "workloads/harness/device.h"

namespace lapscope::workloads {
namespace {

// The grid has one block of 1024 threads per multiprocessor, although 2,048 threads have room. So
// the cycles of a block show how long the kernel takes. With several blocks on a multiprocessor,
// the scheduler would prefer the warps of the first block. This block would finish early.
constexpr unsigned threads_per_block = 1024;

// A multiprocessor has four schedulers. A block of this size gives each of them two warps. Each
// thread has four independent operations, so the pipes are always busy.
constexpr unsigned threads_of_small_block = 256;

}  // namespace

// This kernel is outside the unnamed namespace, so that its name in a trace is short. `map` is an
// argument, because the compiler could fold several steps of a constant map into one
// multiplication. Each thread works on four elements at a time to hide the latency of memory.
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

namespace {

// Room for the static shared memory of the kernels below.
constexpr std::size_t own_shared_bytes = 1024;

// Each step passes its value through a shuffle, in which the thread reads its own value. The
// shuffle takes several times as long as the arithmetic. Meanwhile other blocks can use the pipes
// of the multiprocessor.
__device__ std::uint32_t iterate(std::uint32_t x, AffineMap map, std::uint32_t iterations) {
#pragma unroll 4
  for (std::uint32_t k = 0; k < iterations; ++k) {
    x = __shfl_xor_sync(0xFFFFFFFFU, x * map.multiplier + map.increment, 0);
  }
  return x;
}

__device__ void pass_over(std::uint32_t* data, std::size_t count, AffineMap map,
                          std::uint32_t iterations) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) {
    data[i] = iterate(data[i], map, iterations);
  }
}

}  // namespace

// These kernels are outside the unnamed namespace, so that their names in a trace are short.
__global__ void iterate_chain(std::uint32_t* data, std::size_t count, AffineMap map,
                              std::uint32_t iterations) {
  pass_over(data, count, map, iterations);
}

__global__ void iterate_cooperative(std::uint32_t* data, std::size_t count, AffineMap map,
                                    std::uint32_t iterations, int phases) {
  for (int phase = 0; phase < phases; ++phase) {
    pass_over(data, count, map, iterations);
    cooperative_groups::this_grid().sync();
  }
}

__global__ void iterate_persistent(std::uint32_t* data, std::size_t count, AffineMap map,
                                   std::uint32_t iterations, std::uint32_t* taken,
                                   std::uint32_t* left) {
  __shared__ std::uint32_t portion;
  while (true) {
    if (threadIdx.x == 0) portion = atomicAdd(taken, 1U);
    __syncthreads();
    const std::size_t i = std::size_t{portion} * blockDim.x + threadIdx.x;
    const bool empty = std::size_t{portion} * blockDim.x >= count;
    __syncthreads();
    if (empty) break;
    if (i < count) data[i] = iterate(data[i], map, iterations);
  }
  if (threadIdx.x == 0 && atomicAdd(left, 1U) == gridDim.x - 1) {
    *left = 0;
    *taken = 0;
  }
}

namespace {

template <typename Kernel>
void prepare(Kernel* kernel, const char* action) {
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(ChainKernel::most_shared_bytes())),
        action);
  // A multiprocessor changes its split between L1 cache and shared memory only when it is empty.
  // With different splits, kernels could not run together even if both had room.
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                             cudaSharedmemCarveoutMaxShared),
        action);
}

}  // namespace

ChainKernel::ChainKernel() {
  prepare(iterate_chain, "load the kernel iterate_chain");
  prepare(iterate_cooperative, "load the kernel iterate_cooperative");
  prepare(iterate_persistent, "load the kernel iterate_persistent");
}

void ChainKernel::launch(std::uint32_t* data, std::size_t count, AffineMap map,
                         std::uint32_t iterations, const Grid& grid, cudaStream_t stream) const {
  iterate_chain<<<grid.blocks, grid.threads, grid.shared_bytes, stream>>>(data, count, map,
                                                                          iterations);
  check(cudaGetLastError(), "launch the kernel iterate_chain");
}

void ChainKernel::launch_cooperative(std::uint32_t* data, std::size_t count, AffineMap map,
                                     std::uint32_t iterations, int phases, const Grid& grid,
                                     cudaStream_t stream) const {
  void* arguments[] = {&data, &count, &map, &iterations, &phases};
  check(cudaLaunchCooperativeKernel(iterate_cooperative, dim3(grid.blocks), dim3(grid.threads),
                                    arguments, grid.shared_bytes, stream),
        "launch the kernel iterate_cooperative");
}

void ChainKernel::launch_persistent(std::uint32_t* data, std::size_t count, AffineMap map,
                                    std::uint32_t iterations, const Grid& grid,
                                    std::uint32_t* taken, std::uint32_t* left,
                                    cudaStream_t stream) const {
  iterate_persistent<<<grid.blocks, grid.threads, grid.shared_bytes, stream>>>(
      data, count, map, iterations, taken, left);
  check(cudaGetLastError(), "launch the kernel iterate_persistent");
}

std::size_t ChainKernel::most_shared_bytes() {
  int device = 0;
  int bytes = 0;
  check(cudaGetDevice(&device), "ask for the current device");
  check(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
        "read the shared memory of a block");
  return static_cast<std::size_t>(bytes) - own_shared_bytes;
}

}  // namespace lapscope::workloads
