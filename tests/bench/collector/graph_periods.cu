// Measures the period from the start of a kernel in a CUDA graph to the start of the next one, for
// kernels of several lengths. The period is the length of a kernel plus the latency to the next.
// The times come from the device's clock.
//
// Prints a line CYCLES<tab>NS for each length. Then launches 100 kernels of each length without a
// graph, in an NVTX range CYCLES, so that a recorder can measure them.

#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>

#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <string>

namespace {

constexpr long long lengths[] = {0,     400,   800,    1'200, 1'600,
                                 3'200, 6'400, 16'000, 64'000};  // cycles
constexpr int kernels = 200;

void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(error));
}

__global__ void mark(unsigned long long* at) {
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(*at));
}

__global__ void spin(long long cycles) {
  const long long since = clock64();
  while (clock64() - since < cycles) {
  }
}

// Returns the time of `count` kernels of a graph in ns. Small kernels around them read the device's
// clock.
double between_marks(cudaStream_t stream, unsigned long long* marks, long long cycles, int count) {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "begin to capture");
  mark<<<1, 1, 0, stream>>>(marks);
  for (int i = 0; i < count; ++i) spin<<<1, 32, 0, stream>>>(cycles);
  mark<<<1, 1, 0, stream>>>(marks + 1);
  check(cudaStreamEndCapture(stream, &graph), "capture");
  check(cudaGraphInstantiate(&executable, graph, 0), "instantiate a graph");
  for (int i = 0; i < 3; ++i) {
    check(cudaGraphLaunch(executable, stream), "launch a graph");
    check(cudaStreamSynchronize(stream), "wait for a graph");
  }
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
  return static_cast<double>(marks[1] - marks[0]);
}

void launch_alone(cudaStream_t stream, long long cycles) {
  using Clock = std::chrono::steady_clock;
  const nvtxRangeId_t range = nvtxRangeStartA(std::to_string(cycles).c_str());
  for (int i = 0; i < 100; ++i) {
    spin<<<1, 32, 0, stream>>>(cycles);
    const auto until = Clock::now() + std::chrono::microseconds(15 + cycles / 1000);
    while (Clock::now() < until) {
    }
  }
  check(cudaStreamSynchronize(stream), "wait for kernels");
  nvtxRangeEnd(range);
}

}  // namespace

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::fprintf(stderr, "lapscope-skip: no usable GPU here\n");
    return 77;
  }
  try {
    unsigned long long* marks = nullptr;
    cudaStream_t stream = nullptr;
    check(cudaHostAlloc(&marks, 2 * sizeof(*marks), 0), "allocate marks");
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "create a stream");
    for (const long long cycles : lengths) {
      const double all = between_marks(stream, marks, cycles, kernels);
      const double none = between_marks(stream, marks, cycles, 0);
      std::printf("%lld\t%.1f\n", cycles, (all - none) / kernels);
      launch_alone(stream, cycles);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "graph_periods: %s\n", error.what());
    return 1;
  }
}
