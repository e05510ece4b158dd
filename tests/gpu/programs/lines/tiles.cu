// A loop over tiles with a wait. call_stacks.py checks that lapscope finds the line of the wait.
#include <nvtx3/nvToolsExt.h>

#include <cstdio>

#include "tiles.h"

namespace {

constexpr int tiles = 12;
constexpr int elements = 1 << 18;
constexpr int steps = 20'000;

__global__ void scale(float* values, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  float value = values[i];
  for (int step = 0; step < steps; ++step) value = value * 0.999F + 0.001F;
  values[i] = value;
}

bool is_good(cudaError_t error) {
  if (error != cudaSuccess) std::fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(error));
  return error == cudaSuccess;
}

__attribute__((noinline)) bool process_tile(float* on_device, const float* on_host,
                                            cudaStream_t stream) {
  const std::size_t bytes = elements * sizeof(float);
  if (!is_good(cudaMemcpyAsync(on_device, on_host, bytes, cudaMemcpyHostToDevice, stream)))
    return false;
  scale<<<elements / 256, 256, 0, stream>>>(on_device, elements);
  const cudaError_t waited = cudaStreamSynchronize(stream);  // planted
  return is_good(waited);
}

}  // namespace

int run_tiles() {
  constexpr int lanes = 3;
  float* on_host = nullptr;
  float* on_device[lanes] = {};
  cudaStream_t streams[lanes] = {};
  if (!is_good(cudaMallocHost(&on_host, elements * sizeof(float)))) return 77;
  for (int lane = 0; lane < lanes; ++lane) {
    if (!is_good(cudaMalloc(&on_device[lane], elements * sizeof(float)))) return 1;
    if (!is_good(cudaStreamCreateWithFlags(&streams[lane], cudaStreamNonBlocking))) return 1;
  }
  // The first launch loads the kernel.
  bool is_done = process_tile(on_device[0], on_host, streams[0]);
  nvtxRangePushA("measured");
  for (int tile = 0; tile < tiles; ++tile) {
    const int lane = tile % lanes;
    is_done = process_tile(on_device[lane], on_host, streams[lane]) && is_done;
  }
  is_done = is_good(cudaDeviceSynchronize()) && is_done;
  nvtxRangePop();
  return is_done ? 0 : 1;
}
