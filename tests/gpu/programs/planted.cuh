#pragma once

// Code for small programs with a planted cause: a kernel, error handling and a measurement.
//
// Usage: PROGRAM NAME broken|fixed [REPEATS]. The work runs once as warm-up, and then REPEATS
// times. Each repeat is in an NVTX range "measured", and prints a line such as "wall_ms: 1.234".

#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>

namespace planted {

inline constexpr std::size_t mib = std::size_t{1} << 20;
using Round = std::function<void()>;
// Each program has a name and a function. The function prepares the program, broken or fixed, and
// returns its round. Calling the round does the work once.
using Programs = std::map<std::string, std::function<Round(bool)>>;

inline void check(cudaError_t result) {
  if (result == cudaSuccess) return;
  std::fprintf(stderr, "%s.\n", cudaGetErrorString(result));
  std::exit(result == cudaErrorNoDevice || result == cudaErrorInsufficientDriver ? 77 : 1);
}

// Each thread computes a chain of dependent multiply-adds. `rounds` is the length of the chain.
static __global__ void simulate(float* values, int rounds) {
  float x = values[blockIdx.x * blockDim.x + threadIdx.x];
  for (int i = 0; i < rounds; ++i) x = x * 0.999F + 0.001F;
  values[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

// With these values, simulate() takes about 100 us on an H200, on a quarter of its multiprocessors.
inline constexpr int rounds_of_100_us = 45000;
inline constexpr int blocks = 33;

inline void simulate_in(cudaStream_t stream, float* values, int rounds = rounds_of_100_us) {
  simulate<<<blocks, 256, 0, stream>>>(values, rounds);
  check(cudaGetLastError());
}

inline cudaStream_t new_stream() {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  return stream;
}

inline float* new_values(std::size_t bytes = mib) {
  float* values = nullptr;
  check(cudaMalloc(&values, bytes));
  check(cudaMemset(values, 0, bytes));
  check(cudaDeviceSynchronize());
  return values;
}

// Captures what launch() issues to the stream. Returns the graph, already on the GPU.
template <class Launch>
cudaGraphExec_t captured(cudaStream_t stream, Launch&& launch) {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  launch();
  check(cudaStreamEndCapture(stream, &graph));
  check(cudaGraphInstantiate(&executable, graph, 0));
  check(cudaGraphUpload(executable, stream));
  check(cudaStreamSynchronize(stream));
  return executable;
}

inline void measure(const Round& round) {
  nvtxRangePushA("measured");
  const auto begin = std::chrono::steady_clock::now();
  round();
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
  nvtxRangePop();
  std::printf("wall_ms: %.3f\n", took.count());
}

inline int run(const Programs& programs, int argc, char** argv) {
  const auto program = argc == 3 || argc == 4 ? programs.find(argv[1]) : programs.end();
  const std::string variant = program == programs.end() ? "" : argv[2];
  const int repeats = argc == 4 ? std::atoi(argv[3]) : 1;
  if ((variant != "broken" && variant != "fixed") || repeats < 1) {
    std::fprintf(stderr, "usage: PROGRAM NAME broken|fixed [REPEATS], where NAME is one of");
    for (const auto& [name, make] : programs) std::fprintf(stderr, " %s", name.c_str());
    std::fprintf(stderr, "\n");
    return 2;
  }
  const Round round = program->second(variant == "broken");
  round();
  check(cudaDeviceSynchronize());
  for (int i = 0; i < repeats; ++i) measure(round);
  return 0;
}

}  // namespace planted
