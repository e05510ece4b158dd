#include "collector/callbacks/stack_functions.h"

#include <cuda.h>
#include <driver_types.h>

#include <algorithm>
#include <cstddef>

#include "collector/callbacks/arguments.h"
#include "collector/process/thread_number.h"
#include "collector/stacks/own_memory.h"

namespace lapscope::callbacks {
namespace {

// Beginnings of function names, without "cuda" or "cu". The first match decides. The table leaves
// out functions that may create a context or load a module at their first call, but are called very
// often later (cudaSetDevice, cudaFuncGetAttributes).
struct NamePart {
  std::string_view text;
  StackChoice choice;
};

constexpr NamePart begins[] = {
    {"LaunchHostFunc", StackChoice::every},
    {"Launch", StackChoice::sample},
    {"GraphLaunch", StackChoice::sample},
    {"EventRecord", StackChoice::sample},
    {"EventQuery", StackChoice::sample},
    {"StreamQuery", StackChoice::sample},
    {"StreamWait", StackChoice::sample},
    {"StreamWriteValue", StackChoice::sample},
    {"StreamBatchMemOp", StackChoice::sample},
    {"StreamAddCallback", StackChoice::every},
    {"MemPrefetch", StackChoice::sample},
    {"EventCreate", StackChoice::every},
    {"StreamCreate", StackChoice::every},
    {"StreamDestroy", StackChoice::every},
    {"StreamBeginCapture", StackChoice::every},
    {"StreamEndCapture", StackChoice::every},
    {"GraphInstantiate", StackChoice::every},
    {"GraphExecUpdate", StackChoice::every},
    {"GraphUpload", StackChoice::every},
    {"ModuleLoad", StackChoice::every},
    {"ModuleUnload", StackChoice::every},
    {"LibraryLoad", StackChoice::every},
    {"LibraryUnload", StackChoice::every},
    {"LinkComplete", StackChoice::every},
    {"CtxCreate", StackChoice::every},
    {"CtxDestroy", StackChoice::every},
    {"DevicePrimaryCtxRetain", StackChoice::every},
    {"DevicePrimaryCtxReset", StackChoice::every},
    {"DeviceReset", StackChoice::every},
    {"DeviceSetLimit", StackChoice::every},
    {"CtxSetLimit", StackChoice::every},
    {"DeviceEnablePeerAccess", StackChoice::every},
    {"CtxEnablePeerAccess", StackChoice::every},
    {"InitDevice", StackChoice::every},
    {"HostAlloc", StackChoice::every},
    {"HostRegister", StackChoice::every},
    {"HostUnregister", StackChoice::every},
    {"MemHostAlloc", StackChoice::every},
    {"MemHostRegister", StackChoice::every},
    {"MemHostUnregister", StackChoice::every},
    {"MemCreate", StackChoice::every},
    {"MemRelease", StackChoice::every},
    {"MemMap", StackChoice::every},
    {"MemUnmap", StackChoice::every},
    {"MemSetAccess", StackChoice::every},
    {"MemGetInfo", StackChoice::every},
    {"MemPoolCreate", StackChoice::every},
    {"MemPoolDestroy", StackChoice::every},
    {"MemPoolTrimTo", StackChoice::every},
    {"MemAdvise", StackChoice::every},
    {"ArrayCreate", StackChoice::every},
    {"ArrayDestroy", StackChoice::every},
    {"Memcpy", StackChoice::every},
    {"Memset", StackChoice::every},
};

// These beginnings also match the stream-ordered functions: MallocAsync, MallocFromPoolAsync,
// MemFreeAsync and so on.
constexpr std::string_view allocations[] = {"Malloc", "Free", "MemAlloc", "MemFree"};

std::string_view base_of(std::string_view callback_name) {
  return callback_name.substr(0, callback_name.find('_'));
}

std::string_view without_api(std::string_view base) {
  for (const std::string_view api : {"cuda", "cu"}) {
    if (base.starts_with(api)) return base.substr(api.size());
  }
  return {};
}

struct NamedArguments {
  std::string_view base;
  SortArguments where;
};

constexpr NamedArguments named_arguments[] = {
    {"cudaLaunchKernel", {0, 6}},
    {"cudaLaunchCooperativeKernel", {0, 6}},
    {"cudaLaunchKernelExC", {1, SortArguments::none, true}},
    {"cuLaunchKernel", {0, 5}},
    {"cuLaunchCooperativeKernel", {0, 5}},
    {"cuLaunchKernelEx", {1, SortArguments::none, true}},
    {"cudaGraphLaunch", {0, 1}},
    {"cuGraphLaunch", {0, 1}},
    {"cudaMemcpyAsync", {SortArguments::none, 4}},
    {"cudaMemsetAsync", {SortArguments::none, 3}},
    {"cuMemcpyAsync", {SortArguments::none, 3}},
    {"cuMemcpyHtoDAsync", {SortArguments::none, 3}},
    {"cuMemcpyDtoHAsync", {SortArguments::none, 3}},
    {"cuMemcpyDtoDAsync", {SortArguments::none, 3}},
    {"cudaEventRecord", {SortArguments::none, 1}},
    {"cuEventRecord", {SortArguments::none, 1}},
    {"cudaStreamWaitEvent", {SortArguments::none, 0}},
    {"cuStreamWaitEvent", {SortArguments::none, 0}},
    {"cudaStreamQuery", {SortArguments::none, 0}},
    {"cuStreamQuery", {SortArguments::none, 0}},
};

// The position of the stream in the launch configurations of both APIs.
constexpr std::size_t stream_in_configuration = 4;  // words
static_assert(offsetof(cudaLaunchConfig_t, stream) == stream_in_configuration * sizeof(void*));
static_assert(offsetof(CUlaunchConfig, hStream) == stream_in_configuration * sizeof(void*));

}  // namespace

StackChoice stack_choice(std::string_view callback_name) {
  const std::string_view name = without_api(base_of(callback_name));
  if (name.empty()) return StackChoice::none;
  if (name.find("Synchronize") != std::string_view::npos) return StackChoice::every;
  const auto begins_with = [name](std::string_view begin) { return name.starts_with(begin); };
  if (std::ranges::any_of(allocations, begins_with)) return StackChoice::every;
  if (name.find("Async") != std::string_view::npos) return StackChoice::sample;
  const auto* found = std::ranges::find_if(begins, begins_with, &NamePart::text);
  return found == std::end(begins) ? StackChoice::none : found->choice;
}

SortArguments sort_arguments(std::string_view callback_name) {
  const auto* found =
      std::ranges::find(named_arguments, base_of(callback_name), &NamedArguments::base);
  return found == std::end(named_arguments) ? SortArguments{} : found->where;
}

std::uint64_t sort_of(const SortArguments& where, const CUpti_CallbackData& call) {
  std::uint64_t sort = process::thread_number();
  if (!call.functionParams) return sort;
  const auto word = [&call](std::int8_t at) {
    return argument<std::uint64_t>(call, static_cast<std::uint8_t>(at));
  };
  if (where.subject_word != SortArguments::none) {
    sort = stacks::mixed(sort ^ word(where.subject_word));
  }
  if (where.stream_word != SortArguments::none) {
    sort = stacks::mixed(sort + word(where.stream_word));
  }
  if (where.has_configuration) {
    if (const auto* configuration = argument<const std::uint64_t*>(call, 0)) {
      sort = stacks::mixed(sort + configuration[stream_in_configuration]);
    }
  }
  return sort;
}

}  // namespace lapscope::callbacks
