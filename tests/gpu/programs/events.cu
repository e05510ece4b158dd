// Programs that record events and wait. The argument names a program. The program prints how many
// records of each kind the trace must have.

#include <cuda.h>
#include <dlfcn.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

namespace {

__global__ void spin(std::int64_t cycles) {
  const std::int64_t begin = clock64();
  while (clock64() - begin < cycles) {
  }
}

constexpr std::int64_t a_while = 2'000'000;  // 1 ms

void check(cudaError_t result) {
  if (result == cudaSuccess || result == cudaErrorNotReady) return;
  std::printf("CUDA: %s\n", cudaGetErrorString(result));
  std::exit(1);
}

void check(CUresult result) {
  if (result == CUDA_SUCCESS || result == CUDA_ERROR_NOT_READY) return;
  std::printf("CUDA: error %d of the driver\n", static_cast<int>(result));
  std::exit(1);
}

void launch(cudaStream_t stream) {
  spin<<<1, 1, 0, stream>>>(a_while);
  check(cudaGetLastError());
}

cudaStream_t make_stream() {
  cudaStream_t stream{};
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  return stream;
}

cudaEvent_t make_event() {
  cudaEvent_t event{};
  check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  return event;
}

// Calls every function of the runtime that records an event or waits.
void calls() {
  const cudaStream_t first = make_stream();
  const cudaStream_t second = make_stream();
  cudaEvent_t event = make_event();
  launch(first);
  check(cudaEventRecord(event, first));
  check(cudaEventQuery(event));  // not ready
  check(cudaStreamQuery(first));
  check(cudaStreamWaitEvent(second, event, 0));
  launch(second);
  check(cudaEventRecordWithFlags(event, second, cudaEventRecordDefault));
  check(cudaEventSynchronize(event));
  check(cudaEventQuery(event));
  check(cudaStreamSynchronize(first));
  check(cudaEventDestroy(event));

  event = make_event();  // of the same handle, as a rule
  check(cudaStreamWaitEvent(second, event, 0));
  check(cudaEventRecord(event, nullptr));
  check(cudaStreamWaitEvent(cudaStreamPerThread, event, 0));
  check(cudaEventRecord(event, cudaStreamPerThread));
  check(cudaStreamWaitEvent(cudaStreamLegacy, event, 0));
  check(cudaStreamSynchronize(cudaStreamPerThread));
  check(cudaDeviceSynchronize());
  std::printf("records 4, waits of streams 4, of the host 4, queries 3, never recorded 1\n");
}

// In a capture nothing is recorded and nothing waits.
void captured_calls() {
  const cudaStream_t first = make_stream();
  const cudaStream_t second = make_stream();
  const cudaEvent_t fork = make_event();
  const cudaEvent_t join = make_event();
  const cudaEvent_t direct = make_event();
  cudaGraph_t graph{};
  cudaGraphExec_t executable{};
  check(cudaStreamBeginCapture(first, cudaStreamCaptureModeThreadLocal));
  check(cudaEventRecord(fork, first));
  check(cudaStreamWaitEvent(second, fork, 0));
  launch(second);
  check(cudaEventRecord(join, second));
  check(cudaStreamWaitEvent(first, join, 0));
  check(cudaStreamEndCapture(first, &graph));
  check(cudaGraphInstantiate(&executable, graph, 0));
  check(cudaGraphLaunch(executable, first));
  check(cudaEventRecord(direct, first));
  check(cudaStreamWaitEvent(second, direct, 0));
  check(cudaDeviceSynchronize());
  std::printf("captured: records 2, waits 2; direct: 1, 1\n");
}

template <class Function>
Function driver_function(const char* name) {
  void* driver = ::dlopen("libcuda.so.1", RTLD_NOW);
  void* found = driver ? ::dlsym(driver, name) : nullptr;
  if (!found) std::printf("no %s\n", name);
  if (!found) std::exit(77);
  return reinterpret_cast<Function>(found);
}

// Calls functions of the driver that record an event, query or wait.
void driver_calls() {
  const cudaStream_t first = make_stream();
  const cudaStream_t second = make_stream();
  CUevent event{};
  check(driver_function<decltype(&cuEventCreate)>("cuEventCreate")(&event, 0));
  launch(first);
  check(driver_function<decltype(&cuEventRecord)>("cuEventRecord")(event, first));
  check(driver_function<decltype(&cuEventQuery)>("cuEventQuery")(event));
  check(driver_function<decltype(&cuStreamQuery)>("cuStreamQuery")(first));
  check(driver_function<decltype(&cuStreamWaitEvent)>("cuStreamWaitEvent")(second, event, 0));
  check(driver_function<decltype(&cuEventSynchronize)>("cuEventSynchronize")(event));
  check(driver_function<decltype(&cuStreamSynchronize)>("cuStreamSynchronize")(second));
  check(driver_function<CUresult (*)()>("cuCtxSynchronize")());
  std::printf("records 1, waits of streams 1, of the host 3, queries 2\n");
}

constexpr int threads = 16;
constexpr int rounds = 5'000;

// Sixteen threads call CUDA without a pause.
void many_threads() {
  std::vector<std::thread> running;
  for (int i = 0; i < threads; ++i) {
    running.emplace_back([] {
      const cudaStream_t stream = make_stream();
      const cudaEvent_t event = make_event();
      for (int round = 0; round < rounds; ++round) {
        check(cudaEventRecord(event, stream));
        check(cudaEventQuery(event));
      }
      check(cudaStreamSynchronize(stream));
    });
  }
  for (std::thread& thread : running) thread.join();
  std::printf("records %d, queries as many, waits %d\n", threads * rounds, threads);
}

const std::map<std::string, std::function<void()>> programs = {
    {"calls", calls},
    {"captured-calls", captured_calls},
    {"driver-calls", driver_calls},
    {"many-threads", many_threads},
};

}  // namespace

int main(int argc, char** argv) {
  const auto program = programs.find(argc > 1 ? argv[1] : "");
  if (program == programs.end()) {
    std::printf("usage: events PROGRAM, which is one of\n");
    for (const auto& [name, unused] : programs) std::printf("  %s\n", name.c_str());
    return 2;
  }
  program->second();
  return 0;
}
