// Measures what CUPTI costs in an armed process, and what a kind of record still costs after it was
// enabled and disabled. A stage launches kernels in a loop, and then a graph. All stages run in one
// process, because processes differ in speed.
//   nvcc -O2 -std=c++20 -o switched_kinds switched_kinds.cu -lcupti -lcuda && ./switched_kinds
//   ./switched_kinds early [subscribed [registered [KIND...]]]
//                                    the cost of an armed process. The named steps are done before
//                                    the process has a context
//   ./switched_kinds kept KIND...    the cost of these kinds after they were enabled and disabled
//                                    together. Measured in three states: directly afterwards, with
//                                    each function also disabled by its number, and after
//                                    cuptiUnsubscribe. Processors change their speed, so compare
//                                    the time of a launch divided by the time of a node
//   ./switched_kinds functions       enables single functions before the process has a context, and
//                                    disables them immediately. Shows whether these functions can
//                                    be switched on later, and how their cost compares with that
//                                    of whole kinds
//
// Prints for each stage the median time of a launch and of a node of the graph in ns, and the
// records that CUPTI delivered. A figure differs by a fifth or more between processes. So run the
// program often, compare stages of one process, and alternate the processes of two cases.

#include <cuda.h>
#include <cuda_runtime.h>
#include <cupti.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

__global__ void nothing() {}

std::mutex mutex;
std::map<int, int> delivered;

void CUPTIAPI requested(std::uint8_t** buffer, std::size_t* size, std::size_t* most) {
  *size = std::size_t{2} << 20;
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(8, *size));
  std::memset(*buffer, 0, *size);
  *most = 0;
}

void CUPTIAPI completed(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t,
                        std::size_t valid) {
  CUpti_Activity* record = nullptr;
  const std::lock_guard lock(mutex);
  while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS)
    ++delivered[record->kind];
  std::free(buffer);
}

void CUPTIAPI called(void*, CUpti_CallbackDomain, CUpti_CallbackId, const void*) {}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

double ns_of(int count, const auto& work) {
  const auto begin = Clock::now();
  work();
  cudaDeviceSynchronize();
  return std::chrono::duration<double, std::nano>(Clock::now() - begin).count() / count;
}

constexpr int launches = 1000;
constexpr int nodes = 500;
cudaStream_t stream;
cudaGraphExec_t graph;

void measure(const char* stage) {
  std::vector<double> launch, node;
  for (int i = 0; i < 60; ++i) {
    launch.push_back(ns_of(launches, [] {
      for (int k = 0; k < launches; ++k) nothing<<<1, 1, 0, stream>>>();
    }));
    node.push_back(ns_of(nodes, [] { cudaGraphLaunch(graph, stream); }));
  }
  cuptiActivityFlushAll(0);
  std::printf("%-58s launch %7.0f  node %7.0f  records", stage, median(launch), median(node));
  const std::lock_guard lock(mutex);
  for (const auto& [kind, count] : delivered) std::printf(" %d:%d", kind, count);
  std::printf("\n");
  std::fflush(stdout);
  delivered.clear();
}

struct Switched {
  const char* name;
  std::vector<CUpti_ActivityKind> kinds;
};

}  // namespace

void begin(int count, char** words) {
  if (count < 2) return;
  cuInit(0);
  CUpti_SubscriberHandle subscriber;
  if (count > 2) cuptiSubscribe(&subscriber, called, nullptr);
  if (count > 3) cuptiActivityRegisterCallbacks(requested, completed);
  for (int i = 4; i < count; ++i) {
    const int kind = std::atoi(words[i]);
    if (kind > 0) cuptiActivityEnable(static_cast<CUpti_ActivityKind>(kind));
  }
}

void measure_kept(const std::vector<CUpti_ActivityKind>& kinds) {
  CUpti_SubscriberHandle subscriber;
  cuptiSubscribe(&subscriber, called, nullptr);
  cuptiActivityRegisterCallbacks(requested, completed);
  for (int i = 0; i < 2; ++i) measure("no kind yet");
  for (int round = 0; round < 3; ++round) {
    for (const auto kind : kinds) cuptiActivityEnable(kind);
    measure("on");
    for (const auto kind : kinds) cuptiActivityDisable(kind);
    for (int i = 0; i < 2; ++i) measure("off again");
  }
  for (CUpti_CallbackId id = 1; id < 1200; ++id) {
    cuptiActivityEnableRuntimeApi(id, 0);
    cuptiActivityEnableDriverApi(id, 0);
  }
  for (int i = 0; i < 2; ++i) measure("functions off, too");
  cuptiUnsubscribe(subscriber);
  measure("unsubscribed");
}

void switch_functions(int on) {
  for (CUpti_CallbackId id = 1; id < 1200; ++id) {
    const char* name = nullptr;
    if (cuptiGetCallbackName(CUPTI_CB_DOMAIN_RUNTIME_API, id, &name) == CUPTI_SUCCESS &&
        std::strncmp(name, "cudaLaunch", 10) == 0) {
      cuptiActivityEnableRuntimeApi(id, on);
    }
    if (cuptiGetCallbackName(CUPTI_CB_DOMAIN_DRIVER_API, id, &name) == CUPTI_SUCCESS &&
        std::strncmp(name, "cuLaunch", 8) == 0) {
      cuptiActivityEnableDriverApi(id, on);
    }
  }
}

void switch_kinds(int on) {
  for (const auto kind : {CUPTI_ACTIVITY_KIND_RUNTIME, CUPTI_ACTIVITY_KIND_DRIVER}) {
    on != 0 ? cuptiActivityEnable(kind) : cuptiActivityDisable(kind);
  }
}

void measure_functions() {
  measure("functions were on before the context");
  cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  measure("kernels on");
  for (int round = 0; round < 3; ++round) {
    switch_functions(1);
    measure("functions on");
    switch_functions(0);
    measure("functions off");
  }
  for (int round = 0; round < 3; ++round) {
    switch_kinds(1);
    measure("kinds on");
    switch_kinds(0);
    measure("kinds off");
  }
}

int main(int count, char** words) {
  const bool is_kept = count > 1 && std::strcmp(words[1], "kept") == 0;
  const bool is_functions = count > 1 && std::strcmp(words[1], "functions") == 0;
  if (is_functions) {
    cuInit(0);
    CUpti_SubscriberHandle subscriber;
    cuptiSubscribe(&subscriber, called, nullptr);
    cuptiActivityRegisterCallbacks(requested, completed);
    switch_functions(1);
    switch_functions(0);
  } else if (!is_kept) {
    begin(count, words);
  }
  cudaFree(nullptr);
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaStream_t others[3];
  for (auto& other : others) cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  cudaGraph_t made;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  for (int i = 0; i < nodes; ++i) nothing<<<1, 1, 0, stream>>>();
  cudaStreamEndCapture(stream, &made);
  cudaGraphInstantiate(&graph, made, 0);
  for (int i = 0; i < 3000; ++i) nothing<<<1, 1, 0, stream>>>();
  if (is_functions) {
    measure_functions();
    return 0;
  }
  if (is_kept) {
    std::vector<CUpti_ActivityKind> kinds;
    for (int i = 2; i < count; ++i)
      kinds.push_back(static_cast<CUpti_ActivityKind>(std::atoi(words[i])));
    measure_kept(kinds);
    return 0;
  }
  if (count > 1) {
    std::string all;
    for (int i = 1; i < count; ++i) all += std::string(words[i]) + " ";
    for (int i = 0; i < 3; ++i) measure(all.c_str());
    return 0;
  }
  measure("without CUPTI");
  measure("without CUPTI");
  CUpti_SubscriberHandle subscriber;
  cuptiSubscribe(&subscriber, called, nullptr);
  measure("subscribed");
  cuptiActivityRegisterCallbacks(requested, completed);
  measure("buffers registered");
  for (const auto kind :
       {CUPTI_ACTIVITY_KIND_DEVICE, CUPTI_ACTIVITY_KIND_CONTEXT, CUPTI_ACTIVITY_KIND_STREAM}) {
    const CUptiResult result = cuptiActivityEnable(kind);
    std::printf("enable %d: %d\n", kind, result);
  }
  measure("devices, contexts, streams on, late");
  const Switched all[] = {
      {"MARKER", {CUPTI_ACTIVITY_KIND_MARKER}},
      {"OVERHEAD", {CUPTI_ACTIVITY_KIND_OVERHEAD}},
      {"RUNTIME", {CUPTI_ACTIVITY_KIND_RUNTIME}},
      {"DRIVER", {CUPTI_ACTIVITY_KIND_DRIVER}},
      {"MEMCPY, MEMSET",
       {CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMCPY2, CUPTI_ACTIVITY_KIND_MEMSET}},
      {"CONCURRENT_KERNEL", {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL}},
      {"SYNCHRONIZATION", {CUPTI_ACTIVITY_KIND_SYNCHRONIZATION}},
      {"CUDA_EVENT", {CUPTI_ACTIVITY_KIND_CUDA_EVENT}},
  };
  for (int round = 0; round < 2; ++round) {
    for (const Switched& one : all) {
      for (const auto kind : one.kinds) cuptiActivityEnable(kind);
      measure((std::string(one.name) + " on").c_str());
      for (const auto kind : one.kinds) cuptiActivityDisable(kind);
      measure((std::string(one.name) + " off again").c_str());
    }
  }
  const auto callbacks = [&](int on) {
    for (const auto id : {CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000,
                          CUPTI_RUNTIME_TRACE_CBID_cudaDeviceSynchronize_v3020,
                          CUPTI_RUNTIME_TRACE_CBID_cudaGraphLaunch_v10000}) {
      cuptiEnableCallback(on, subscriber, CUPTI_CB_DOMAIN_RUNTIME_API, id);
    }
  };
  callbacks(1);
  measure("callbacks on");
  callbacks(0);
  measure("callbacks off again");
  cuptiActivityEnableCudaEventDeviceTimestamps(1);
  measure("device timestamps of events on");
  cuptiActivityEnableCudaEventDeviceTimestamps(0);
  for (const auto kind :
       {CUPTI_ACTIVITY_KIND_DEVICE, CUPTI_ACTIVITY_KIND_CONTEXT, CUPTI_ACTIVITY_KIND_STREAM}) {
    cuptiActivityDisable(kind);
  }
  measure("all off");
  cuptiUnsubscribe(subscriber);
  measure("unsubscribed");
  return 0;
}
