// Calls that change settings of the device or of kernels, and calls that query the device.

#include <cuda_profiler_api.h>

#include "workloads/implicit_sync/call_registry.h"
#include "workloads/implicit_sync/trials.h"

namespace lapscope::workloads::implicit_sync {
namespace {

// The kernel before the call runs on all multiprocessors. After the call, the next kernel needs
// another split between L1 cache and shared memory.
Trial preferring_shared(std::function<cudaError_t(cudaFuncCache)> prefer) {
  Trial trial = calling([=] { return prefer(cudaFuncCachePreferShared); });
  trial.clean = [=] { require(prefer(cudaFuncCachePreferNone), "restore the cache preference"); };
  return trial;
}

Trial switching_device_preference(Rig&) { return preferring_shared(cudaDeviceSetCacheConfig); }

Trial switching_kernel_preference(Rig&) {
  return preferring_shared([](cudaFuncCache preference) {
    return cudaFuncSetCacheConfig(SpanKernel::function(), preference);
  });
}

Trial setting_attribute(cudaFuncAttribute attribute, int value, int usual) {
  const auto set = [=](int wanted) {
    return cudaFuncSetAttribute(SpanKernel::function(), attribute, wanted);
  };
  Trial trial = calling([=] { return set(value); });
  trial.clean = [=] { require(set(usual), "restore an attribute of a kernel"); };
  return trial;
}

// The call has an effect only if the stack becomes larger than any earlier stack.
Trial growing_stack(Rig& rig) {
  std::size_t usual = 0;
  require(cudaDeviceGetLimit(&usual, cudaLimitStackSize), "read the size of the stack");
  Trial trial =
      calling([&rig] { return cudaDeviceSetLimit(cudaLimitStackSize, rig.more_local_bytes()); });
  trial.clean = [=] {
    require(cudaDeviceSetLimit(cudaLimitStackSize, usual), "restore the size of the stack");
  };
  return trial;
}

// Alternates between two sizes, because the call would do nothing if the size stayed the same.
Trial setting_printf_buffer(Rig&) {
  const auto mebibytes = std::make_shared<std::size_t>(1);
  return calling([=] {
    *mebibytes = 3 - *mebibytes;
    return cudaDeviceSetLimit(cudaLimitPrintfFifoSize, *mebibytes << 20);
  });
}

Trial asking_for_memory(Rig&) {
  return calling([] {
    std::size_t free = 0;
    std::size_t total = 0;
    return cudaMemGetInfo(&free, &total);
  });
}

Trial starting_profiler(Rig&) {
  Trial trial = calling(cudaProfilerStart);
  trial.clean = [] { require(cudaProfilerStop(), "stop the profiler"); };
  return trial;
}

Trial enabling_peer(Rig&) {
  constexpr int peer = 1;
  int devices = 0;
  int possible = 0;
  require(cudaGetDeviceCount(&devices), "count the CUDA devices");
  if (devices < 2) throw Unavailable("this call needs two GPUs; one is visible");
  require(cudaDeviceCanAccessPeer(&possible, 0, peer), "ask for peer access");
  if (possible == 0) throw Unavailable("the first two GPUs cannot access each other's memory");
  Trial trial = calling([] { return cudaDeviceEnablePeerAccess(peer, 0); });
  trial.clean = [] { require(cudaDeviceDisablePeerAccess(peer), "end peer access"); };
  return trial;
}

const Call all_setting_calls[] = {
    {"cudaDeviceSetCacheConfig", separates_streams, switching_device_preference},
    {"cudaFuncSetCacheConfig", separates_streams, switching_kernel_preference},
    {"cudaFuncSetAttribute-carveout", separates_streams,
     [](Rig&) {
       return setting_attribute(cudaFuncAttributePreferredSharedMemoryCarveout,
                                cudaSharedmemCarveoutMaxShared, cudaSharedmemCarveoutDefault);
     }},
    {"cudaFuncSetAttribute-shared-memory", not_named,
     [](Rig&) {
       return setting_attribute(cudaFuncAttributeMaxDynamicSharedMemorySize, 64 << 10, 48 << 10);
     }},
    {"cudaDeviceSetLimit-printf-buffer", not_named, setting_printf_buffer},
    {"cudaDeviceSetLimit-stack", not_named, growing_stack},
    {"cudaMemGetInfo", not_named, asking_for_memory},
    {"cudaProfilerStart", not_named, starting_profiler},
    {"cudaDeviceEnablePeerAccess", not_named, enabling_peer},
};

}  // namespace

std::span<const Call> setting_calls() { return all_setting_calls; }

}  // namespace lapscope::workloads::implicit_sync
