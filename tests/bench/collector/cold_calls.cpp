// Measures CUDA calls after a pause, in which the thread calculates, walks through memory or
// sleeps.
//
// A turn is a pause and three calls: a copy, a kernel launch and a memset. Prints a line
// PAUSE<tab>COPY_NS<tab>LAUNCH_NS<tab>MEMSET_NS for each kind of pause, with medians of 200 turns.
// Run the program alternately with and without the recorder: the difference is what recording adds.

#include <nvtx3/nvToolsExt.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <functional>
#include <thread>
#include <vector>

#include "tests/bench/collector/cuda_calls.h"
#include "tests/bench/collector/launch_kernels.h"

namespace {

using Clock = std::chrono::steady_clock;

double median_of(std::vector<double>& times) {
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

void spin_for(std::chrono::nanoseconds time) {
  const auto until = Clock::now() + time;
  while (Clock::now() < until) {
  }
}

class Walk {
 public:
  explicit Walk(std::size_t bytes) : memory_(bytes / sizeof(long), 1) {}
  void operator()() {
    for (std::size_t i = 0; i < memory_.size(); i += 8) memory_[i] += 1;
  }

 private:
  std::vector<long> memory_;
};

void measure(const char* name, cudaStream_t stream, void* device, void* pinned,
             const std::function<void()>& pause) {
  std::array<std::vector<double>, 3> times;
  constexpr int turns = 200;
  for (int i = 0; i < turns; ++i) {
    if (i % 50 == 0) check(cudaStreamSynchronize(stream));
    pause();
    times[0].push_back(ns_of(
        [&] { check(cudaMemcpyAsync(device, pinned, 4096, cudaMemcpyHostToDevice, stream)); }));
    times[1].push_back(ns_of([&] { launch_nothing(stream); }));
    times[2].push_back(ns_of([&] { check(cudaMemsetAsync(device, 0, 4096, stream)); }));
  }
  std::printf("%s\t%.0f\t%.0f\t%.0f\n", name, median_of(times[0]), median_of(times[1]),
              median_of(times[2]));
}

}  // namespace

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::fprintf(stderr, "lapscope-skip: no usable GPU here\n");
    return 77;
  }
  try {
    void* device = nullptr;
    void* pinned = nullptr;
    check(cudaMalloc(&device, 4096));
    check(cudaMallocHost(&pinned, 4096));
    const Stream stream;
    Walk l1(64 << 10), l2(1 << 20), l3(8 << 20);
    using std::chrono::microseconds;
    measure("warm up", stream, device, pinned, [] {});
    measure("none", stream, device, pinned, [] {});
    measure("spin 5 us", stream, device, pinned, [] { spin_for(microseconds(5)); });
    measure("spin 20 us", stream, device, pinned, [] { spin_for(microseconds(20)); });
    measure("spin 200 us", stream, device, pinned, [] { spin_for(microseconds(200)); });
    measure("walk 64 KiB", stream, device, pinned, [&] { l1(); });
    measure("walk 1 MiB", stream, device, pinned, [&] { l2(); });
    measure("walk 8 MiB", stream, device, pinned, [&] { l3(); });
    for (const int us : {20, 100, 500, 3000}) {
      char name[32];
      std::snprintf(name, sizeof name, "sleep %d us", us);
      measure(name, stream, device, pinned,
              [us] { std::this_thread::sleep_for(microseconds(us)); });
    }
    measure("none again", stream, device, pinned, [] {});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "cold_calls: %s\n", error.what());
    return 1;
  }
}
