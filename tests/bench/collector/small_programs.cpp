// Measures small programs, which get much slower when they are recorded:
// - launches of many empty kernels
// - launches of many small kernels, in more streams than hardware queues
// - launches of small CUDA graphs
// - updates of an executable graph by a newly captured graph
// - NVTX ranges
// - loops over a single CUDA call
//
// Repeats the measurements, and prints a line `name: value` for each of them.

#include <nvtx3/nvToolsExt.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "tests/bench/collector/cuda_calls.h"
#include "tests/bench/collector/launch_kernels.h"

namespace {

// Waits until the device is idle. Then returns the time until `work` is done and the device is idle
// again.
double ns_until_done(const std::function<void()>& work) {
  check(cudaDeviceSynchronize());
  return ns_of([&] {
    work();
    check(cudaDeviceSynchronize());
  });
}

class Programs {
 public:
  Programs() {
    graph_ = instantiated(capture(graph_kernels));
    updated_graph_ = instantiated(capture(updated_graph_kernels));
    check(cudaMallocHost(&pinned_, bytes));
    check(cudaMalloc(&device_, bytes));
    check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming));
    nvtxInitialize(nullptr);
    launch_spin(1, own_);
    check(cudaDeviceSynchronize());
  }

  // Returns the time of one launch of an empty kernel, in ns.
  double launches() {
    constexpr int count = 20'000;
    return ns_until_done([&] {
             for (int i = 0; i < count; ++i) launch_nothing(own_);
           }) /
           count;
  }

  // Returns the time of all kernels, in ms.
  double streams() {
    constexpr int kernels = 1152;
    constexpr std::int64_t cycles = 60'000;
    const auto count = static_cast<int>(std::size(many_));
    return ns_until_done([&] {
             for (int i = 0; i < kernels; ++i) launch_spin(cycles, many_[i % count]);
           }) /
           1e6;
  }

  // Returns the time of all launches of the graph, in ms.
  double graphs() {
    constexpr int count = 24;
    return ns_until_done([&] {
             for (int i = 0; i < count; ++i) check(cudaGraphLaunch(graph_, own_));
           }) /
           1e6;
  }

  // Returns the time of all steps, in ms. A step captures kernels, updates the executable graph and
  // launches it.
  double updated_graphs() {
    constexpr int count = 24;
    return ns_until_done([&] {
             for (int i = 0; i < count; ++i) {
               cudaGraph_t graph = capture(updated_graph_kernels);
               cudaGraphExecUpdateResultInfo info{};
               check(cudaGraphExecUpdate(updated_graph_, graph, &info));
               check(cudaGraphDestroy(graph));
               check(cudaGraphLaunch(updated_graph_, own_));
             }
           }) /
           1e6;
  }

  // Returns the time of one NVTX range, in ns.
  static double ranges() {
    constexpr int count = 50'000;
    return ns_of([] {
             for (int i = 0; i < count; ++i) {
               nvtxRangePushA("a range of some length");
               nvtxRangePop();
             }
           }) /
           count;
  }

  // Returns the host's time for one call, in ns.
  double calls(const std::function<void()>& call, int count = 1000) {
    check(cudaDeviceSynchronize());
    const double ns = ns_of([&] {
      for (int i = 0; i < count; ++i) call();
    });
    check(cudaDeviceSynchronize());
    return ns / count;
  }

  void print_calls() {
    const auto print = [this](const char* name, const std::function<void()>& call,
                              int count = 1000) {
      std::printf("%s: %.1f\n", name, calls(call, count));
    };
    // The command buffer holds this many calls, so no call waits for the device.
    constexpr int queued = 400;
    print(
        "call_launch", [this] { launch_nothing(own_); }, queued);
    print(
        "call_launch_ex", [this] { launch_nothing_with_priority(own_); }, queued);
    print(
        "call_copy", [this] { copy(cudaMemcpyHostToDevice, device_, pinned_); }, queued);
    print(
        "call_copy_back", [this] { copy(cudaMemcpyDeviceToHost, pinned_, device_); }, queued);
    print(
        "call_memset", [this] { check(cudaMemsetAsync(device_, 0, bytes, own_)); }, queued);
    print(
        "call_event_record", [this] { check(cudaEventRecord(event_, own_)); }, queued);
    print(
        "call_wait_event", [this] { check(cudaStreamWaitEvent(many_[0], event_, 0)); }, queued);
    print("call_event_query", [this] { check(cudaEventQuery(event_)); });
    print("call_stream_query", [this] { check(cudaStreamQuery(own_)); });
    print("call_stream_sync", [this] { check(cudaStreamSynchronize(own_)); });
    print("call_device_sync", [] { check(cudaDeviceSynchronize()); });
    print("call_last_error", [] { check(cudaGetLastError()); });
    print(
        "call_graph_launch", [this] { check(cudaGraphLaunch(graph_, own_)); }, 10);
    print(
        "call_malloc_free",
        [] {
          void* memory = nullptr;
          check(cudaMalloc(&memory, bytes));
          check(cudaFree(memory));
        },
        50);
  }

 private:
  static constexpr int graph_kernels = 64;
  static constexpr int updated_graph_kernels = 160;
  static constexpr std::size_t bytes = 4096;

  cudaGraph_t capture(int kernels) {
    check(cudaStreamBeginCapture(own_, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < kernels; ++i) launch_nothing(own_);
    cudaGraph_t graph{};
    check(cudaStreamEndCapture(own_, &graph));
    return graph;
  }

  static cudaGraphExec_t instantiated(cudaGraph_t graph) {
    cudaGraphExec_t executable{};
    check(cudaGraphInstantiate(&executable, graph, 0));
    check(cudaGraphDestroy(graph));
    return executable;
  }

  void copy(cudaMemcpyKind kind, void* to, const void* from) {
    check(cudaMemcpyAsync(to, from, bytes, kind, own_));
  }

  Stream own_;
  Stream many_[20];
  cudaGraphExec_t graph_{};
  cudaGraphExec_t updated_graph_{};
  cudaEvent_t event_{};
  void* pinned_ = nullptr;
  void* device_ = nullptr;
};

// Runs only the program `name`, first as a warm-up. Later runs are in an NVTX range with its name.
int run_only(const std::string& name, int repeats) {
  check(cudaSetDevice(0));
  Programs programs;
  for (int repeat = -1; repeat < repeats; ++repeat) {
    if (repeat >= 0) nvtxRangePushA(name.c_str());
    if (name == "launches") programs.launches();
    if (name == "streams") programs.streams();
    if (name == "graphs") programs.graphs();
    if (name == "updated-graphs") programs.updated_graphs();
    if (repeat >= 0) nvtxRangePop();
  }
  return 0;
}

int run(int repeats) {
  check(cudaSetDevice(0));
  Programs programs;
  for (int repeat = -1; repeat < repeats; ++repeat) {
    const double launches = programs.launches();
    const double streams = programs.streams();
    const double graphs = programs.graphs();
    const double updated_graphs = programs.updated_graphs();
    const double ranges = Programs::ranges();
    if (repeat < 0) continue;  // the first run loads code and requests memory
    std::printf("launch_ns: %.1f\nstreams_ms: %.4f\ngraphs_ms: %.4f\n", launches, streams, graphs);
    std::printf("updated_graphs_ms: %.4f\nrange_ns: %.1f\n", updated_graphs, ranges);
    programs.print_calls();
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  int repeats = 3;
  std::string only;
  CLI::App app("Small programs, and what they take.");
  app.add_option("--repeats", repeats, "Times that each runs, after one that does not count")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--only", only, "One of them alone, in an NVTX range of its name; prints nothing")
      ->check(CLI::IsMember({"launches", "streams", "graphs", "updated-graphs"}));
  CLI11_PARSE(app, argc, argv);
  try {
    return only.empty() ? run(repeats) : run_only(only, repeats);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "small_programs: %s.\n", error.what());
    return 1;
  }
}
