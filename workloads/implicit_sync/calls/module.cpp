// Calls that load or unload code, and launches that load code or need more local memory.

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <array>
#include <string>
#include <vector>

#include "workloads/harness/shared_library.h"
#include "workloads/implicit_sync/call.h"
#include "workloads/implicit_sync/call_registry.h"
#include "workloads/implicit_sync/trials.h"

namespace lapscope::workloads::implicit_sync {
namespace {

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

// The compiler does not know `offset`. It therefore cannot make the local buffer smaller.
std::string kernel_text(unsigned local_bytes) {
  return R"(
.version 6.4
.target sm_75
.address_size 64
.visible .entry use_local(.param .u64 result, .param .u32 offset) {
  .local .align 16 .b8 buffer[)" +
         std::to_string(local_bytes) + R"(];
  .reg .b32 %r<3>;
  .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [result];
  ld.param.u32 %r1, [offset];
  mov.u64 %rd2, buffer;
  cvt.u64.u32 %rd3, %r1;
  add.u64 %rd4, %rd2, %rd3;
  st.local.u32 [%rd2], 0;
  st.local.u32 [%rd4], %r1;
  ld.local.u32 %r2, [%rd2];
  st.global.u32 [%rd1], %r2;
  ret;
}
)";
}

// Throws SkippedError if the driver lacks one of the functions.
const DriverApi& driver_api() {
  static const DriverApi api;
  return api;
}

// Returns a cubin for this GPU with one kernel, `use_local(std::uint32_t* result, std::uint32_t
// offset)`. The kernel uses `local_bytes` of local memory per thread. The cubin is compiled here,
// so the measured load compiles nothing. Throws Unavailable if this fails.
std::vector<char> compile_image(unsigned local_bytes) {
  const DriverApi& driver = driver_api();
  std::string text = kernel_text(local_bytes);
  CUlinkState state = nullptr;
  require(driver.link_create(0U, nullptr, nullptr, &state), "start the linker of the driver");
  void* image = nullptr;
  std::size_t size = 0;
  cudaError_t error = driver.link_add(state, CU_JIT_INPUT_PTX, text.data(), text.size() + 1,
                                      "use_local", 0U, nullptr, nullptr);
  if (error == cudaSuccess) error = driver.link_complete(state, &image, &size);
  std::vector<char> cubin;
  if (error == cudaSuccess) {
    cubin.assign(static_cast<const char*>(image), static_cast<const char*>(image) + size);
  }
  driver.link_destroy(state);  // Also frees the image.
  require(error, "compile a kernel");
  return cubin;
}

using Image = std::vector<char>;

constexpr unsigned some_local_bytes = 16;
constexpr Claim lazy_loading{Documented::may_wait, "guide"};

Image some_image() { return compile_image(some_local_bytes); }

Lifetime<CUmodule> loaded_module(const Image& image) {
  return {[image](CUmodule& module) { return driver_api().module_load(&module, image.data()); },
          [](CUmodule module) { return driver_api().module_unload(module); }};
}

Lifetime<CUlibrary> loaded_library(const Image& image) {
  return {[image](CUlibrary& library) {
            return driver_api().library_load(&library, image.data(), nullptr, nullptr, 0U, nullptr,
                                             nullptr, 0U);
          },
          [](CUlibrary library) { return driver_api().library_unload(library); }};
}

CUfunction function_of_module(CUmodule module) {
  CUfunction function = nullptr;
  require(driver_api().module_function(&function, module, "use_local"), "find a kernel");
  return function;
}

cudaError_t launch(const Rig& rig, CUfunction function) {
  KernelSpan* result = &rig.spans.span()[2];
  unsigned offset = 0;
  std::array<void*, 2> arguments{&result, &offset};
  return driver_api().launch(function, 1U, 1U, 1U, 1U, 1U, 1U, 0U, rig.own.get(), arguments.data(),
                             nullptr);
}

Trial getting_function(Rig&) {
  const auto image = std::make_shared<const Image>(some_image());
  const auto module = std::make_shared<CUmodule>();
  const auto function = std::make_shared<CUfunction>();
  Trial trial =
      calling([=] { return driver_api().module_function(function.get(), *module, "use_local"); });
  trial.prepare = [=] { require(loaded_module(*image).create(*module), "load a module"); };
  trial.clean = [=] { require(loaded_module(*image).destroy(*module), "unload a module"); };
  return trial;
}

// The library is loaded already. The measured launch loads the kernel.
Trial launching_first(Rig& rig) {
  const auto image = std::make_shared<const Image>(some_image());
  const auto library = std::make_shared<CUlibrary>();
  const auto kernel = std::make_shared<CUkernel>();
  Trial trial = calling([=, &rig] { return launch(rig, reinterpret_cast<CUfunction>(*kernel)); });
  trial.prepare = [=] {
    require(loaded_library(*image).create(*library), "load a library");
    require(driver_api().library_kernel(kernel.get(), *library, "use_local"), "find a kernel");
  };
  trial.clean = [=] { require(loaded_library(*image).destroy(*library), "unload a library"); };
  return in_stream(rig.own.get(), trial);
}

// The kernel is loaded already. Each launch needs more local memory than any earlier kernel.
Trial launching_with_more_local_memory(Rig& rig) {
  const auto module = std::make_shared<CUmodule>();
  const auto function = std::make_shared<CUfunction>();
  Trial trial = calling([=, &rig] { return launch(rig, *function); });
  trial.prepare = [=, &rig] {
    require(loaded_module(compile_image(rig.more_local_bytes())).create(*module), "load a module");
    *function = function_of_module(*module);
    require(driver_api().function_load(*function), "load a kernel");
  };
  trial.clean = [=] { require(driver_api().module_unload(*module), "unload a module"); };
  return in_stream(rig.own.get(), trial);
}

const Call all_module_calls[] = {
    {"cuModuleLoadData", not_named, [](Rig&) { return creating(loaded_module(some_image())); }},
    {"cuModuleGetFunction", lazy_loading, getting_function},
    {"cuModuleUnload", not_named, [](Rig&) { return destroying(loaded_module(some_image())); }},
    {"cuLibraryLoadData", not_named, [](Rig&) { return creating(loaded_library(some_image())); }},
    {"cuLibraryUnload", not_named, [](Rig&) { return destroying(loaded_library(some_image())); }},
    {"launch-first-of-kernel", lazy_loading, launching_first},
    {"launch-more-local-memory", lazy_loading, launching_with_more_local_memory},
};

}  // namespace

std::span<const Call> module_calls() { return all_module_calls; }

}  // namespace lapscope::workloads::implicit_sync
