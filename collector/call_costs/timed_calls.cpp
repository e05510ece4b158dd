#include "collector/call_costs/timed_calls.h"

#include <nvtx3/nvToolsExt.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "collector/call_costs/call_cost_kernels.h"
#include "collector/schema/call_cost_kinds.h"

namespace lapscope::call_costs {
namespace {

namespace kind = schema::call_cost;

using Clock = std::chrono::steady_clock;

constexpr int nodes = 65;
// The number of calls that follow each other. They all fit into the command buffer, so no call
// waits for the device.
constexpr int queued = 400;
constexpr int kernels = 100;
constexpr int graph_launches = 7;
// The duration of a spinning kernel in clock cycles of the device, about 7 us. It is longer than
// the host needs to launch a kernel.
constexpr std::int64_t spin_cycles = 14'000;
// The duration of a kernel that spins while the host enqueues ops, about 150 us.
constexpr std::int64_t long_spin_cycles = 300'000;

void check(cudaError_t result) {
  if (result != cudaSuccess) throw std::runtime_error(cudaGetErrorString(result));
}

template <class Work>
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

// Calls `launch` once as a warm-up, then several times. Returns the median result.
template <class Launch>
double median_of_launches(const Launch& launch) {
  check(cudaDeviceSynchronize());
  launch();
  std::vector<double> times;
  for (int i = 0; i < graph_launches; ++i) times.push_back(launch());
  return median_of(std::move(times));
}

void ignore(void*) {}

}  // namespace

Calls::Calls() {
  check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  check(cudaStreamCreateWithFlags(&other_, cudaStreamNonBlocking));
  check(cudaMallocHost(&pinned_, pageable_.size()));
  check(cudaMallocHost(reinterpret_cast<void**>(&marks_), 2 * sizeof *marks_));
  check(cudaMalloc(&device_, pageable_.size()));
  check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming));
  nvtxInitialize(nullptr);
  const Work nothing = [this] { launch_nothing(stream_); };
  const Work spin = [this] { launch_spin(spin_cycles, stream_); };
  // CUDA loads the code of a kernel at its first use. Code cannot be loaded during a stream
  // capture, so the kernels are launched before the captures.
  nothing();
  spin();
  launch_mark(marks_, stream_);
  check(cudaDeviceSynchronize());
  one_ = graph_of(1, nothing);
  many_ = graph_of(nodes, nothing);
  one_spin_ = graph_of(1, spin);
  const auto between = [&](int count) {
    return graph_of(1, [=, this] {
      launch_mark(&marks_[0], stream_);
      for (int i = 0; i < count; ++i) spin();
      launch_mark(&marks_[1], stream_);
    });
  };
  marked_spin_ = between(1);
  marked_spins_ = between(nodes);
}

std::vector<Time> Calls::turn() {
  times_.clear();
  add(kind::launch, {[this] { launch_nothing(stream_); }}, queued);
  add(kind::copy_async, {[this] { copy(device_, pinned_); }, [this] { copy(pinned_, device_); }},
      queued / 2);
  add(kind::copy_blocking, {[this] {
        check(cudaMemcpy(device_, pageable_.data(), pageable_.size(), cudaMemcpyDefault));
      }},
      50);
  add(kind::memset, {[this] { set_memory(); }}, queued / 2);
  add(kind::record_event, {[this] { check(cudaEventRecord(event_, stream_)); }}, queued);
  add(kind::wait_event, {[this] { check(cudaStreamWaitEvent(other_, event_, 0)); }}, queued);
  add(kind::query,
      {[this] { check(cudaEventQuery(event_)); }, [this] { check(cudaStreamQuery(stream_)); }},
      queued);
  add(kind::synchronize,
      {[this] { check(cudaStreamSynchronize(stream_)); }, [] { check(cudaDeviceSynchronize()); }},
      queued);
  add(kind::host_function, {[this] { check(cudaLaunchHostFunc(stream_, ignore, nullptr)); }}, 30);
  add(kind::nvtx_range, {[] {
        nvtxRangePushA("calibration");
        nvtxRangePop();
      }},
      1000);
  time_cold_calls();
  time_memory();
  time_graphs();
  time_device();
  times_.push_back({kind::copy_on_device, (on_device([this] { copy(device_, pinned_); }) +
                                           on_device([this] { copy(pinned_, device_); })) /
                                              2});
  return times_;
}

// Warms up each call in `calls`, then makes each of them `count` times. Appends the mean host time
// of one call to `times_` as the time of `kind`.
void Calls::add(std::string_view kind, const std::vector<Work>& calls, int count) {
  constexpr int part_of_warm_up = 8;
  double sum = 0;
  for (const Work& call : calls) {
    for (int k = 0; k < count / part_of_warm_up; ++k) call();
    check(cudaDeviceSynchronize());
    sum += ns_of([&] {
             for (int k = 0; k < count; ++k) call();
           }) /
           count;
    check(cudaDeviceSynchronize());
  }
  times_.push_back({kind, sum / static_cast<double>(calls.size())});
}

void Calls::copy(void* to, const void* from) {
  check(cudaMemcpyAsync(to, from, pageable_.size(), cudaMemcpyDefault, stream_));
}

void Calls::set_memory() { check(cudaMemsetAsync(device_, 0, pageable_.size(), stream_)); }

void Calls::time_cold_calls() {
  constexpr double calls = 3;
  check(cudaDeviceSynchronize());
  std::this_thread::sleep_for(std::chrono::milliseconds(3));
  const double all = ns_of([this] {
    copy(device_, pinned_);
    launch_nothing(stream_);
    set_memory();
  });
  times_.push_back({kind::cold_call, all / calls});
}

void Calls::time_memory() {
  std::array<void*, 50> memory{};
  const double allocations = ns_of([&] {
    for (void*& one : memory) check(cudaMalloc(&one, pageable_.size()));
  });
  const double releases = ns_of([&] {
    for (void* one : memory) check(cudaFree(one));
  });
  times_.push_back({kind::allocate, allocations / memory.size()});
  times_.push_back({kind::release, releases / memory.size()});
}

cudaGraphExec_t Calls::graph_of(int count, const Work& launch) {
  check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
  for (int i = 0; i < count; ++i) launch();
  cudaGraph_t graph{};
  check(cudaStreamEndCapture(stream_, &graph));
  cudaGraphExec_t executable{};
  check(cudaGraphInstantiate(&executable, graph, 0));
  check(cudaGraphDestroy(graph));
  return executable;
}

double Calls::call_of(cudaGraphExec_t graph) {
  return median_of_launches([&] {
    const double call = ns_of([&] { check(cudaGraphLaunch(graph, stream_)); });
    check(cudaStreamSynchronize(stream_));
    return call;
  });
}

double Calls::between_marks(cudaGraphExec_t graph) {
  return median_of_launches([&] {
    check(cudaGraphLaunch(graph, stream_));
    check(cudaStreamSynchronize(stream_));
    return static_cast<double>(marks_[1] - marks_[0]);
  });
}

void Calls::time_graphs() {
  const double one = call_of(one_);
  const double node = (call_of(many_) - one) / (nodes - 1);
  times_.push_back({kind::graph_launch, one - node});
  times_.push_back({kind::graph_node, node});
  // Uses the device's clock, because the host does not know at which time during the launch call
  // the graph starts.
  const double first = between_marks(marked_spin_);
  times_.push_back(
      {kind::graph_node_on_device, (between_marks(marked_spins_) - first) / (nodes - 1)});
}

void Calls::time_device() {
  check(cudaDeviceSynchronize());
  const double all = ns_of([this] {
    for (int k = 0; k < kernels; ++k) launch_spin(spin_cycles, stream_);
    check(cudaDeviceSynchronize());
  });
  times_.push_back({kind::kernel_on_device, all / kernels});
  constexpr int launches = 30;
  check(cudaGraphLaunch(one_spin_, stream_));
  check(cudaDeviceSynchronize());
  const double graphs = ns_of([this] {
    for (int k = 0; k < launches; ++k) check(cudaGraphLaunch(one_spin_, stream_));
    check(cudaDeviceSynchronize());
  });
  times_.push_back({kind::graph_launch_on_device, graphs / launches});
}

// The host enqueues all ops while a kernel spins, so the device never waits for the host.
double Calls::on_device(const Work& op) {
  constexpr int ops = 32;
  const double all = median_of_launches([&] {
    launch_spin(long_spin_cycles, stream_);
    launch_mark(&marks_[0], stream_);
    for (int i = 0; i < ops; ++i) op();
    launch_mark(&marks_[1], stream_);
    check(cudaStreamSynchronize(stream_));
    return static_cast<double>(marks_[1] - marks_[0]);
  });
  return all / ops;
}

}  // namespace lapscope::call_costs
