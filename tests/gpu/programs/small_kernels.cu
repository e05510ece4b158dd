// small_kernels STREAMS KERNELS CYCLES: launches short kernels of one block and waits for all of
// them. Each stream in turn gets four kernels. The program does this once as warm-up, and then
// three times. Each repeat has an NVTX range. Prints the ms of each repeat.

#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

// Each stream gets this many kernels in a row. If streams share a hardware queue, the next stream
// waits until the last of these kernels starts.
constexpr unsigned long in_a_row = 4;

__global__ void spin(std::int64_t cycles) {
  const std::int64_t begin = clock64();
  while (clock64() - begin < cycles) {
  }
}

void check(cudaError_t result) {
  if (result == cudaSuccess) return;
  std::fprintf(stderr, "small_kernels: %s.\n", cudaGetErrorString(result));
  std::exit(result == cudaErrorNoDevice || result == cudaErrorInsufficientDriver ? 77 : 1);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: small_kernels STREAMS KERNELS CYCLES\n");
    return 2;
  }
  std::vector<cudaStream_t> streams(std::strtoul(argv[1], nullptr, 10));
  const unsigned long kernels = std::strtoul(argv[2], nullptr, 10);
  const std::int64_t cycles = std::atoll(argv[3]);
  for (cudaStream_t& stream : streams) {
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  }
  for (int repeat = 0; repeat < 4; ++repeat) {
    check(cudaDeviceSynchronize());
    if (repeat > 0) nvtxRangePushA("kernels");
    const auto begin = std::chrono::steady_clock::now();
    for (unsigned long i = 0; i < kernels; ++i)
      spin<<<1, 1, 0, streams[i / in_a_row % streams.size()]>>>(cycles);
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    if (repeat > 0) nvtxRangePop();
    if (repeat > 0) std::printf("%.3f\n", took.count());
  }
  return 0;
}
