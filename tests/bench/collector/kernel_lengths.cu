// Measures by the device's clock how long kernels take: from the first instruction of the first
// block to the last instruction of the last block. The difference between a run with a tool and a
// run without a tool is the time that the tool adds to the kernels.
//
// Prints a line NAME<tab>NS for each kind of kernel. NS is the median of the launches.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(error));
}

// The times of the first and last instruction of a launch, in ns of the device's clock.
struct Span {
  unsigned long long first;
  unsigned long long last;
};

__device__ unsigned long long device_ns() {
  unsigned long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

__device__ void end(Span* span, unsigned long long begin) {
  __syncthreads();
  if (threadIdx.x != 0) return;
  atomicMin(&span->first, begin);
  atomicMax(&span->last, device_ns());
}

__global__ void copy_vectors(Span* span, const uint4* from, uint4* to, std::size_t count) {
  const unsigned long long begin = device_ns();
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) {
    to[i] = from[i];
  }
  end(span, begin);
}

__global__ void multiply_add(Span* span, float* out, int rounds) {
  const unsigned long long begin = device_ns();
  float a = threadIdx.x;
  float b = 1;
  for (int i = 0; i < rounds; ++i) {
    a = a * 1.0001F + b;
    b = b * 0.9999F + a;
  }
  if (a + b == 12345) *out = a;
  end(span, begin);
}

__global__ void watch_clock(Span* span, long long cycles) {
  const unsigned long long begin = device_ns();
  const long long since = clock64();
  while (clock64() - since < cycles) {
  }
  end(span, begin);
}

__global__ void sleep(Span* span, unsigned long long ns) {
  const unsigned long long begin = device_ns();
  while (device_ns() - begin < ns) __nanosleep(200);
  end(span, begin);
}

class Bench {
 public:
  Bench() { check(cudaMalloc(&span_, sizeof(Span)), "allocate a span"); }

  template <typename Launch>
  void run(const char* name, Launch launch) {
    constexpr int launches = 9;
    std::vector<unsigned long long> lengths;
    for (int i = 0; i < launches; ++i) {
      Span span{~0ULL, 0};
      check(cudaMemcpy(span_, &span, sizeof(span), cudaMemcpyHostToDevice), "reset a span");
      launch(span_);
      check(cudaGetLastError(), name);
      check(cudaMemcpy(&span, span_, sizeof(span), cudaMemcpyDeviceToHost), name);
      lengths.push_back(span.last - span.first);
    }
    std::sort(lengths.begin(), lengths.end());
    std::printf("%s\t%llu\n", name, lengths[lengths.size() / 2]);
  }

 private:
  Span* span_ = nullptr;
};

void run_all() {
  int processors = 0;
  check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0), "find the device");
  const auto full = static_cast<unsigned>(8 * processors);
  constexpr unsigned threads = 256;
  constexpr std::size_t many = std::size_t{64} << 20;  // 1 GiB
  constexpr std::size_t few = std::size_t{64} << 10;   // 1 MiB
  uint4* from = nullptr;
  uint4* to = nullptr;
  float* out = nullptr;
  check(cudaMalloc(&from, many * sizeof(uint4)), "allocate memory");
  check(cudaMalloc(&to, many * sizeof(uint4)), "allocate memory");
  check(cudaMalloc(&out, sizeof(float)), "allocate memory");
  check(cudaMemset(from, 0, many * sizeof(uint4)), "clear memory");
  const auto blocks_for = [](std::size_t count) { return static_cast<unsigned>(count / threads); };

  Bench bench;
  bench.run("copy of 1 GiB, blocks that stay",
            [&](Span* span) { copy_vectors<<<full, threads>>>(span, from, to, many); });
  bench.run("copy of 1 GiB, 262,144 short blocks",
            [&](Span* span) { copy_vectors<<<blocks_for(many), threads>>>(span, from, to, many); });
  bench.run("copy of 1 MiB, 256 short blocks",
            [&](Span* span) { copy_vectors<<<blocks_for(few), threads>>>(span, from, to, few); });
  bench.run("multiply-add, half of the threads",
            [&](Span* span) { multiply_add<<<full / 2, threads>>>(span, out, 4000); });
  bench.run("multiply-add, all threads",
            [&](Span* span) { multiply_add<<<full, threads>>>(span, out, 4000); });
  bench.run("spin on the clock, half of the threads",
            [&](Span* span) { watch_clock<<<full / 2, threads>>>(span, 100'000); });
  bench.run("spin on the clock, all threads",
            [&](Span* span) { watch_clock<<<full, threads>>>(span, 100'000); });
  bench.run("sleep, all threads", [&](Span* span) { sleep<<<full, threads>>>(span, 50'000); });
}

}  // namespace

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::fprintf(stderr, "lapscope-skip: no usable GPU here\n");
    return 77;
  }
  try {
    run_all();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "kernel_lengths: %s\n", error.what());
    return 1;
  }
}
