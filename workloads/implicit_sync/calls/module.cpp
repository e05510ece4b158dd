// Calls that load or unload code, and launches that load code or need more local memory.

#include <array>

#include "workloads/implicit_sync/call_registry.h"
#include "workloads/implicit_sync/calls/driver_api.h"
#include "workloads/implicit_sync/trials.h"

namespace lapscope::workloads::implicit_sync {
namespace {

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
