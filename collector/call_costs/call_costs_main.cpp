// What CUDA calls take here: run by a calibration (collector/launch/calibration.h), bare and
// recorded in turn. Writes a line for each kind (collector/schema/call_costs.h) into the file that
// its first argument names, as `launch 2713.4`, in ns; or `error` and why there is none. Ends
// itself after so many seconds as the second says: nobody is to wait for a driver that hangs.

#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "collector/call_costs/kernels.h"
#include "collector/schema/call_costs.h"

namespace {

namespace kind = lapscope::schema::call_cost;

using Clock = std::chrono::steady_clock;
using Work = std::function<void()>;

constexpr std::size_t bytes = 4096;
constexpr int nodes = 65;
// Fewer calls than fit into the command buffer, so that none waits for the device.
constexpr int queued = 400;
constexpr int repeats = 5;

void check(cudaError_t result) {
  if (result != cudaSuccess) throw std::runtime_error(cudaGetErrorString(result));
}

double ns_of(const Work& work) {
  const auto begin = Clock::now();
  work();
  return std::chrono::duration<double, std::nano>(Clock::now() - begin).count();
}

double median_of(std::vector<double> times) {
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

class Calls {
 public:
  explicit Calls(std::FILE* out) : out_(out) {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    check(cudaStreamCreateWithFlags(&other_, cudaStreamNonBlocking));
    check(cudaMallocHost(&pinned_, bytes));
    check(cudaMalloc(&device_, bytes));
    check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming));
    nvtxInitialize(nullptr);
    // Code is loaded and memory asked for when it is used first.
    launch_nothing(stream_);
    launch_spin(1, stream_);
    check(cudaDeviceSynchronize());
  }

  void measure() {
    print(kind::launch, {[this] { launch_nothing(stream_); }}, queued);
    print(kind::copy_async,
          {[this] { copy(device_, pinned_); }, [this] { copy(pinned_, device_); }}, queued);
    print(kind::copy_blocking,
          {[this] { check(cudaMemcpy(device_, pageable_.data(), bytes, cudaMemcpyDefault)); }},
          100);
    print(kind::memset, {[this] { check(cudaMemsetAsync(device_, 0, bytes, stream_)); }}, queued);
    print(kind::record_event, {[this] { check(cudaEventRecord(event_, stream_)); }}, queued);
    print(kind::wait_event, {[this] { check(cudaStreamWaitEvent(other_, event_, 0)); }}, queued);
    print(kind::query,
          {[this] { check(cudaEventQuery(event_)); }, [this] { check(cudaStreamQuery(stream_)); }},
          1000);
    print(
        kind::synchronize,
        {[this] { check(cudaStreamSynchronize(stream_)); }, [] { check(cudaDeviceSynchronize()); }},
        1000);
    print(kind::host_function, {[this] { check(cudaLaunchHostFunc(stream_, ignore, nullptr)); }},
          50);
    print(kind::nvtx_range, {[] {
            nvtxRangePushA("calibration");
            nvtxRangePop();
          }},
          2000);
    measure_memory();
    measure_graphs();
    measure_device();
  }

 private:
  static void ignore(void*) {}

  void copy(void* to, const void* from) {
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream_));
  }

  void print(std::string_view name, double ns) {
    std::fprintf(out_, "%.*s %.1f\n", static_cast<int>(name.size()), name.data(), ns);
  }

  // The mean of several calls of a kind, each by what the host takes for it.
  void print(std::string_view name, const std::vector<Work>& calls, int count) {
    double sum = 0;
    for (const Work& call : calls) {
      std::vector<double> times;
      for (int i = 0; i < repeats; ++i) {
        check(cudaDeviceSynchronize());
        times.push_back(ns_of([&] {
          for (int k = 0; k < count; ++k) call();
        }));
        check(cudaDeviceSynchronize());
      }
      sum += median_of(times) / count;
    }
    print(name, sum / static_cast<double>(calls.size()));
  }

  void measure_memory() {
    std::array<void*, 50> memory{};
    std::vector<double> allocations;
    std::vector<double> releases;
    for (int i = 0; i < repeats; ++i) {
      allocations.push_back(ns_of([&] {
        for (void*& one : memory) check(cudaMalloc(&one, bytes));
      }));
      releases.push_back(ns_of([&] {
        for (void* one : memory) check(cudaFree(one));
      }));
    }
    print(kind::allocate, median_of(allocations) / memory.size());
    print(kind::release, median_of(releases) / memory.size());
  }

  cudaGraphExec_t graph_of(int count, const Work& launch) {
    check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < count; ++i) launch();
    cudaGraph_t graph{};
    check(cudaStreamEndCapture(stream_, &graph));
    cudaGraphExec_t executable{};
    check(cudaGraphInstantiate(&executable, graph, 0));
    check(cudaGraphDestroy(graph));
    check(cudaGraphLaunch(executable, stream_));
    check(cudaDeviceSynchronize());
    return executable;
  }

  // Of a launch to an idle device: of the call alone, and until all is done.
  struct GraphTimes {
    double call = 0;
    double done = 0;
  };
  GraphTimes times_of(cudaGraphExec_t graph) {
    std::vector<double> calls;
    std::vector<double> done;
    for (int i = 0; i < 4 * repeats; ++i) {
      check(cudaDeviceSynchronize());
      double call = 0;
      done.push_back(ns_of([&] {
        call = ns_of([&] { check(cudaGraphLaunch(graph, stream_)); });
        check(cudaStreamSynchronize(stream_));
      }));
      calls.push_back(call);
    }
    return {median_of(calls), median_of(done)};
  }

  void measure_graphs() {
    const Work nothing = [this] { launch_nothing(stream_); };
    const double one = times_of(graph_of(1, nothing)).call;
    const double node = (times_of(graph_of(nodes, nothing)).call - one) / (nodes - 1);
    print(kind::graph_launch, one - node);
    print(kind::graph_node, node);
    // Nodes that take longer than what the host does for each.
    const Work spins = [this] { launch_spin(spin_cycles, stream_); };
    const double first = times_of(graph_of(1, spins)).done;
    print(kind::graph_node_on_device,
          (times_of(graph_of(nodes, spins)).done - first) / (nodes - 1));
  }

  void measure_device() {
    constexpr int kernels = 200;
    std::vector<double> times;
    for (int i = 0; i < repeats; ++i) {
      check(cudaDeviceSynchronize());
      times.push_back(ns_of([this] {
        for (int k = 0; k < kernels; ++k) launch_spin(spin_cycles, stream_);
        check(cudaDeviceSynchronize());
      }));
    }
    print(kind::kernel_on_device, median_of(times) / kernels);
  }

  static constexpr std::int64_t spin_cycles = 20'000;  // 10 us

  std::FILE* out_;
  cudaStream_t stream_{};
  cudaStream_t other_{};
  cudaEvent_t event_{};
  void* pinned_ = nullptr;
  void* device_ = nullptr;
  std::array<char, bytes> pageable_{};
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: lapscope_call_costs FILE SECONDS\n");
    return 2;
  }
  ::alarm(static_cast<unsigned>(std::strtoul(argv[2], nullptr, 10)));
  std::FILE* out = std::fopen(argv[1], "w");
  if (!out) return 1;
  try {
    check(cudaSetDevice(0));
    Calls(out).measure();
  } catch (const std::exception& error) {
    std::fprintf(out, "error %s\n", error.what());
    return std::fclose(out) == 0 ? 1 : 2;
  }
  return std::fclose(out) == 0 ? 0 : 2;
}
