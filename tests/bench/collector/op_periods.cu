// Measures the time per op on the GPU if all ops are enqueued before the first one starts. Marks
// around the ops read the device's clock. The times show what a tool adds between ops, whatever the
// tool reports.
//
//   stream  spin......., mark, op, op, op, .. op, mark
//   host    enqueues all of it while the spin runs
//
// Prints a line NAME<tab>NS for each sequence of ops: the time per op, the median of the runs.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

constexpr int ops = 64;
constexpr std::size_t small = 2 << 10;
constexpr std::size_t large = 1 << 20;

void check(cudaError_t error) {
  if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
}

__global__ void spin(long long cycles) {
  const long long begin = clock64();
  while (clock64() - begin < cycles) {
  }
}

__global__ void mark(unsigned long long* at) {
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(*at));
}

class Bench {
 public:
  Bench() {
    for (cudaStream_t* stream : {&one, &two}) {
      check(cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking));
    }
    for (cudaEvent_t* event : {&begin_, &end_, &between}) {
      check(cudaEventCreateWithFlags(event, cudaEventDisableTiming));
    }
    check(cudaMallocHost(&host, 2 * large));
    check(cudaMalloc(&device, 2 * large));
    check(cudaMallocHost(reinterpret_cast<void**>(&marks_), 2 * sizeof *marks_));
  }

  void run(const char* name, const std::function<void(int)>& enqueue) {
    constexpr int runs = 9;
    std::vector<double> periods;
    for (int i = 0; i < runs; ++i) {
      spin<<<1, 1, 0, one>>>(6'000'000);
      mark<<<1, 1, 0, one>>>(&marks_[0]);
      check(cudaEventRecord(begin_, one));
      check(cudaStreamWaitEvent(two, begin_, 0));
      for (int op = 0; op < ops; ++op) enqueue(op);
      check(cudaEventRecord(end_, two));
      check(cudaStreamWaitEvent(one, end_, 0));
      mark<<<1, 1, 0, one>>>(&marks_[1]);
      if (cudaStreamQuery(one) != cudaErrorNotReady) throw std::runtime_error("enqueued too late");
      check(cudaStreamSynchronize(one));
      periods.push_back(static_cast<double>(marks_[1] - marks_[0]) / ops);
    }
    std::sort(periods.begin(), periods.end());
    std::printf("%s\t%.0f\n", name, periods[periods.size() / 2]);
  }

  void to_device(std::size_t bytes, cudaStream_t stream) {
    check(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, stream));
  }
  void to_host(std::size_t bytes, cudaStream_t stream) {
    check(cudaMemcpyAsync(host + large, device + large, bytes, cudaMemcpyDeviceToHost, stream));
  }

  cudaStream_t one = nullptr;
  cudaStream_t two = nullptr;
  cudaEvent_t between = nullptr;
  char* host = nullptr;
  char* device = nullptr;

 private:
  cudaEvent_t begin_ = nullptr;
  cudaEvent_t end_ = nullptr;
  unsigned long long* marks_ = nullptr;
};

void run_all() {
  Bench b;
  const auto kernel = [&](cudaStream_t stream) { spin<<<1, 1, 0, stream>>>(14'000); };
  const auto by_turns = [](const std::function<void()>& first,
                           const std::function<void()>& second) {
    return [=](int op) { op % 2 == 0 ? first() : second(); };
  };
  b.run("kernels", [&](int) { kernel(b.one); });
  b.run("copies of 2 KiB to the device", [&](int) { b.to_device(small, b.one); });
  b.run("copies of 2 KiB to the host", [&](int) { b.to_host(small, b.one); });
  b.run("copies of 2 KiB on the device", [&](int) {
    check(cudaMemcpyAsync(b.device, b.device + large, small, cudaMemcpyDeviceToDevice, b.one));
  });
  b.run("memsets of 2 KiB", [&](int) { check(cudaMemsetAsync(b.device, 0, small, b.one)); });
  b.run("copies of 1 MiB to the device", [&](int) { b.to_device(large, b.one); });
  b.run("copies of 1 MiB to the host", [&](int) { b.to_host(large, b.one); });
  b.run("kernel, copy of 2 KiB to the device, by turns",
        by_turns([&] { kernel(b.one); }, [&] { b.to_device(small, b.one); }));
  b.run("kernel, copy of 2 KiB to the host, by turns",
        by_turns([&] { kernel(b.one); }, [&] { b.to_host(small, b.one); }));
  b.run("kernel, copy of 1 MiB to the device, by turns",
        by_turns([&] { kernel(b.one); }, [&] { b.to_device(large, b.one); }));
  b.run(
      "kernel, memset of 2 KiB, by turns",
      by_turns([&] { kernel(b.one); }, [&] { check(cudaMemsetAsync(b.device, 0, small, b.one)); }));
  b.run("copies of 2 KiB to the device, two streams by turns",
        by_turns([&] { b.to_device(small, b.one); }, [&] { b.to_device(small, b.two); }));
  b.run("copies of 1 MiB to the device, two streams by turns",
        by_turns([&] { b.to_device(large, b.one); }, [&] { b.to_device(large, b.two); }));
  b.run("copies of 2 KiB, to the device and to the host by turns",
        by_turns([&] { b.to_device(small, b.one); }, [&] { b.to_host(small, b.one); }));
  b.run("copy of 1 MiB to the device and to the host, two streams",
        by_turns([&] { b.to_device(large, b.one); }, [&] { b.to_host(large, b.two); }));
  const auto first_after_second = [&b](cudaStream_t first, cudaStream_t second) {
    check(cudaEventRecord(b.between, second));
    check(cudaStreamWaitEvent(first, b.between, 0));
  };
  b.run("copies of 1 MiB to the device, an event after each", [&](int) {
    b.to_device(large, b.one);
    check(cudaEventRecord(b.between, b.one));
  });
  const auto after_each_other = [&](const std::function<void()>& in_one,
                                    const std::function<void()>& in_two) {
    return [=](int op) {
      op % 2 == 0 ? in_one() : in_two();
      op % 2 == 0 ? first_after_second(b.two, b.one) : first_after_second(b.one, b.two);
    };
  };
  b.run("kernels, two streams by turns with events",
        after_each_other([&] { kernel(b.one); }, [&] { kernel(b.two); }));
  b.run("copy of 1 MiB to the device, kernel, two streams by turns with events",
        after_each_other([&] { b.to_device(large, b.one); }, [&] { kernel(b.two); }));
  b.run("kernel, copy of 1 MiB to the host, two streams by turns with events",
        after_each_other([&] { kernel(b.one); }, [&] { b.to_host(large, b.two); }));
  b.run("copies of 1 MiB to the device, two streams by turns with events",
        after_each_other([&] { b.to_device(large, b.one); }, [&] { b.to_device(large, b.two); }));
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
    std::fprintf(stderr, "op_periods: %s\n", error.what());
    return 1;
  }
}
