#include "collector/callbacks/stack_functions.h"

#include <set>

#include "tests/catch.h"
#include "tests/collector/callbacks/support.h"

namespace lapscope::callbacks {
namespace {

using test::CallData;
using test::handle;

TEST_CASE("what can block or is rare has a stack each time", "[callbacks]") {
  for (const char* name : {"cudaDeviceSynchronize_v3020",
                           "cudaStreamSynchronize_ptsz_v7000",
                           "cuEventSynchronize",
                           "cuCtxSynchronize_v2",
                           "cudaMalloc_v3020",
                           "cuMemAlloc_v2",
                           "cudaFree_v3020",
                           "cudaHostAlloc_v3020",
                           "cudaFreeHost_v3020",
                           "cudaHostRegister_v4000",
                           "cuMemHostUnregister",
                           "cudaMemcpy_v3020",
                           "cuMemcpyDtoH_v2",
                           "cudaMemcpy2D_v3020",
                           "cudaMemset_v3020",
                           "cuModuleLoadDataEx",
                           "cuLibraryLoadData",
                           "cudaGraphInstantiateWithFlags_v11040",
                           "cuGraphInstantiateWithParams",
                           "cudaStreamCreateWithPriority_v5050",
                           "cudaEventCreateWithFlags_v3020",
                           "cuStreamCreate",
                           "cudaStreamDestroy_v5050",
                           "cudaStreamBeginCapture_v10000"}) {
    INFO(name);
    CHECK(stack_choice(name) == StackChoice::every);
  }
}

TEST_CASE("allocations in the order of a stream have a stack each time, too", "[callbacks]") {
  for (const char* name :
       {"cudaMallocAsync_v11020", "cudaMallocFromPoolAsync_v11020", "cudaFreeAsync_v11020",
        "cuMemAllocAsync", "cuMemAllocFromPoolAsync_ptsz", "cuMemFreeAsync"}) {
    INFO(name);
    CHECK(stack_choice(name) == StackChoice::every);
  }
}

TEST_CASE("calls of host functions have a stack each time", "[callbacks]") {
  for (const char* name :
       {"cudaLaunchHostFunc_v10000", "cuLaunchHostFunc_ptsz", "cudaStreamAddCallback_v5000"}) {
    INFO(name);
    CHECK(stack_choice(name) == StackChoice::every);
  }
}

TEST_CASE("of what issues work and returns, a sample has", "[callbacks]") {
  for (const char* name :
       {"cudaLaunchKernel_v7000", "cudaLaunchKernelExC_ptsz_v11060", "cuLaunchKernel_ptsz",
        "cudaMemcpyAsync_v3020", "cuMemcpyHtoDAsync_v2", "cudaMemsetAsync_v3020",
        "cudaGraphLaunch_v10000", "cuGraphLaunch", "cudaEventRecord_v3020",
        "cudaStreamWaitEvent_v3020", "cudaStreamQuery_v3020"}) {
    INFO(name);
    CHECK(stack_choice(name) == StackChoice::sample);
  }
}

TEST_CASE("what is cheap and waits for nothing has none", "[callbacks]") {
  for (const char* name :
       {"cudaGetLastError_v3020", "cudaGetDevice_v3020", "cuCtxGetCurrent", "cuGetProcAddress_v2",
        "cudaEventElapsedTime_v3020", "cudaPointerGetAttributes_v4000", "cudaSetDevice_v3020",
        "cudaFuncGetAttributes_v3020", "", "cu", "INVALID"}) {
    INFO(name);
    CHECK(stack_choice(name) == StackChoice::none);
  }
}

std::uint64_t sort_of_launch(std::uintptr_t kernel, std::uintptr_t stream) {
  cudaLaunchKernel_v7000_params params{};
  params.func = handle<const void*>(kernel);
  params.stream = handle<cudaStream_t>(stream);
  CallData call(&params, 1);
  return sort_of(sort_arguments("cudaLaunchKernel_v7000"), call.data());
}

std::uint64_t sort_of_launch_ex(std::uintptr_t kernel, std::uintptr_t stream) {
  cudaLaunchConfig_t config{};
  config.stream = handle<cudaStream_t>(stream);
  cudaLaunchKernelExC_v11060_params params{};
  params.config = &config;
  params.func = handle<const void*>(kernel);
  CallData call(&params, 1);
  return sort_of(sort_arguments("cudaLaunchKernelExC_v11060"), call.data());
}

std::uint64_t sort_of_copy(std::uintptr_t destination, std::uintptr_t stream) {
  cudaMemcpyAsync_v3020_params params{};
  params.dst = handle<void*>(destination);
  params.stream = handle<cudaStream_t>(stream);
  CallData call(&params, 1);
  return sort_of(sort_arguments("cudaMemcpyAsync_v3020"), call.data());
}

TEST_CASE("launches are told apart by their kernel and stream", "[callbacks]") {
  for (const auto sort : {sort_of_launch, sort_of_launch_ex}) {
    CHECK(sort(1, 2) == sort(1, 2));
    const std::set<std::uint64_t> sorts{sort(1, 2), sort(2, 1), sort(1, 3), sort(3, 2), sort(2, 2)};
    CHECK(sorts.size() == 5);
  }
}

TEST_CASE("copies are told apart by their stream", "[callbacks]") {
  CHECK(sort_of_copy(1, 2) == sort_of_copy(9, 2));
  CHECK(sort_of_copy(1, 2) != sort_of_copy(1, 3));
}

}  // namespace
}  // namespace lapscope::callbacks
