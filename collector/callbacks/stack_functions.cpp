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

// Beginnings of function names, without "cuda" or "cu". `every` is searched before `sampled`,
// because LaunchHostFunc also begins with Launch. The tables leave out cudaSetDevice and
// cudaFuncGetAttributes, because programs call them very often. Only their first calls may create a
// context or load a module.
constexpr std::string_view every[] = {
    "LaunchHostFunc",
    "StreamAddCallback",
    "EventCreate",
    "StreamCreate",
    "StreamDestroy",
    "StreamBeginCapture",
    "StreamEndCapture",
    "GraphInstantiate",
    "GraphExecUpdate",
    "GraphUpload",
    "ModuleLoad",
    "ModuleUnload",
    "LibraryLoad",
    "LibraryUnload",
    "LinkComplete",
    "CtxCreate",
    "CtxDestroy",
    "DevicePrimaryCtxRetain",
    "DevicePrimaryCtxReset",
    "DeviceReset",
    "DeviceSetLimit",
    "CtxSetLimit",
    "DeviceEnablePeerAccess",
    "CtxEnablePeerAccess",
    "InitDevice",
    "HostAlloc",
    "HostRegister",
    "HostUnregister",
    "MemHostAlloc",
    "MemHostRegister",
    "MemHostUnregister",
    "MemCreate",
    "MemRelease",
    "MemMap",
    "MemUnmap",
    "MemSetAccess",
    "MemGetInfo",
    "MemPoolCreate",
    "MemPoolDestroy",
    "MemPoolTrimTo",
    "MemAdvise",
    "ArrayCreate",
    "ArrayDestroy",
    "Memcpy",
    "Memset",
};

constexpr std::string_view sampled[] = {"Launch",           "GraphLaunch",      "EventRecord",
                                        "EventQuery",       "StreamQuery",      "StreamWait",
                                        "StreamWriteValue", "StreamBatchMemOp", "MemPrefetch"};

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
  if (std::ranges::any_of(every, begins_with)) return StackChoice::every;
  return std::ranges::any_of(sampled, begins_with) ? StackChoice::sample : StackChoice::none;
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
