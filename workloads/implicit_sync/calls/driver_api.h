#pragma once

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <vector>

#include "workloads/harness/shared_library.h"

namespace lapscope::workloads::implicit_sync {

// The driver functions that are used here. Some runtimes of CUDA 12 have no such functions.
struct DriverApi {
  SharedLibrary library{"the driver", {"libcuda.so.1"}};

  template <typename Function>
  struct Found {
    Function* function;
    // Runtime and driver use the same error numbers.
    template <typename... Arguments>
    cudaError_t operator()(Arguments... arguments) const {
      return static_cast<cudaError_t>(function(arguments...));
    }
  };

  template <typename Function>
  Found<Function> find(const char* name) const {
    return {library.function<Function*>(name)};
  }

  Found<decltype(cuLinkCreate)> link_create = find<decltype(cuLinkCreate)>("cuLinkCreate_v2");
  Found<decltype(cuLinkAddData)> link_add = find<decltype(cuLinkAddData)>("cuLinkAddData_v2");
  Found<decltype(cuLinkComplete)> link_complete = find<decltype(cuLinkComplete)>("cuLinkComplete");
  Found<decltype(cuLinkDestroy)> link_destroy = find<decltype(cuLinkDestroy)>("cuLinkDestroy");
  Found<decltype(cuModuleLoadData)> module_load =
      find<decltype(cuModuleLoadData)>("cuModuleLoadData");
  Found<decltype(cuModuleUnload)> module_unload = find<decltype(cuModuleUnload)>("cuModuleUnload");
  Found<decltype(cuModuleGetFunction)> module_function =
      find<decltype(cuModuleGetFunction)>("cuModuleGetFunction");
  Found<CUresult(CUfunction)> function_load = find<CUresult(CUfunction)>("cuFuncLoad");
  Found<decltype(cuLibraryLoadData)> library_load =
      find<decltype(cuLibraryLoadData)>("cuLibraryLoadData");
  Found<decltype(cuLibraryUnload)> library_unload =
      find<decltype(cuLibraryUnload)>("cuLibraryUnload");
  Found<decltype(cuLibraryGetKernel)> library_kernel =
      find<decltype(cuLibraryGetKernel)>("cuLibraryGetKernel");
  Found<decltype(cuLaunchKernel)> launch = find<decltype(cuLaunchKernel)>("cuLaunchKernel");
};

// Throws SkippedError if the driver lacks one of the functions.
const DriverApi& driver_api();

// Returns a cubin for this GPU with one kernel, `use_local(std::uint32_t* result, std::uint32_t
// offset)`. The kernel uses `local_bytes` of local memory per thread. The cubin is compiled here,
// so the measured load compiles nothing. Throws Unavailable if this fails.
std::vector<char> compile_image(unsigned local_bytes);

}  // namespace lapscope::workloads::implicit_sync
