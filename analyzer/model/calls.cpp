#include "analyzer/model/calls.h"

#include <algorithm>
#include <array>

#include "analyzer/model/ops.h"
#include "collector/schema/wait_functions.h"

namespace lapscope::analyzer {
namespace {

struct Prefix {
  std::string_view text;
  CallKind kind;
};

// The first matching prefix decides, so longer prefixes such as cudaLaunchHostFunc come first.
constexpr Prefix prefixes[] = {
    {"cudaLaunchHostFunc", CallKind::host_function},
    {"cuLaunchHostFunc", CallKind::host_function},
    {"cudaStreamAddCallback", CallKind::host_function},
    {"cuStreamAddCallback", CallKind::host_function},
    {"cudaLaunch", CallKind::launch},
    {"cuLaunch", CallKind::launch},
    {"cudaGraphLaunch", CallKind::graph_launch},
    {"cuGraphLaunch", CallKind::graph_launch},
    {"cudaMemPool", CallKind::other},
    {"cuMemPool", CallKind::other},
    {"cudaMemset", CallKind::memset},
    {"cuMemset", CallKind::memset},
    {"cudaEventRecord", CallKind::record_event},
    {"cuEventRecord", CallKind::record_event},
    {"cudaMallocHost", CallKind::allocate_host},
    {"cudaHostAlloc", CallKind::allocate_host},
    {"cudaHostRegister", CallKind::allocate_host},
    {"cuMemAllocHost", CallKind::allocate_host},
    {"cuMemHostAlloc", CallKind::allocate_host},
    {"cuMemHostRegister", CallKind::allocate_host},
    {"cudaFreeHost", CallKind::release_host},
    {"cudaHostUnregister", CallKind::release_host},
    {"cuMemFreeHost", CallKind::release_host},
    {"cuMemHostUnregister", CallKind::release_host},
    {"cudaMallocAsync", CallKind::pool},
    {"cudaMallocFromPoolAsync", CallKind::pool},
    {"cudaFreeAsync", CallKind::pool},
    {"cuMemAllocAsync", CallKind::pool},
    {"cuMemAllocFromPoolAsync", CallKind::pool},
    {"cuMemFreeAsync", CallKind::pool},
    {"cudaMalloc", CallKind::allocate},
    {"cuMemAlloc", CallKind::allocate},
    {"cudaFree", CallKind::release},
    {"cuMemFree", CallKind::release},
    {"cuModule", CallKind::load},
    {"cuLibrary", CallKind::load},
    {"cudaLibrary", CallKind::load},
    {"cudaFuncGetAttributes", CallKind::load},
};

bool is_copy(std::string_view function) {
  return function.starts_with("cudaMemcpy") || function.starts_with("cuMemcpy");
}

CallKind kind_of(schema::WaitKind wait) {
  switch (wait) {
    case schema::WaitKind::asks_for_stream:
    case schema::WaitKind::asks_for_event:
      return CallKind::query;
    case schema::WaitKind::stream_waits_for_event:
      return CallKind::wait_event;
    default:
      return CallKind::synchronize;
  }
}

}  // namespace

std::string_view name_of(CallKind kind) {
  constexpr std::array names = {"launch",        "graph-launch",  "copy-async",   "copy-blocking",
                                "memset",        "synchronize",   "allocate",     "release",
                                "pool",          "allocate-host", "release-host", "load",
                                "host-function", "wait-event",    "record-event", "query",
                                "other"};
  return names[static_cast<std::size_t>(kind)];
}

CallKind call_kind(std::string_view function) {
  if (is_copy(function)) {
    return function.find("Async") == std::string_view::npos ? CallKind::copy_blocking
                                                            : CallKind::copy_async;
  }
  if (const auto* wait = schema::wait_function(function)) return kind_of(wait->kind);
  for (const Prefix& prefix : prefixes) {
    if (function.starts_with(prefix.text)) return prefix.kind;
  }
  return CallKind::other;
}

std::uint32_t Calls::thread_of(std::uint32_t call) const {
  const auto after =
      std::upper_bound(threads.begin(), threads.end(), call,
                       [](std::uint32_t c, const Thread& thread) { return c < thread.first; });
  return static_cast<std::uint32_t>(after - threads.begin()) - 1;
}

std::uint32_t Calls::call_at(std::int64_t global_tid, Ns time) const {
  for (const Thread& thread : threads) {
    if (thread.global_tid != global_tid) continue;
    const auto first = start.begin() + thread.first;
    const auto after = std::upper_bound(first, start.begin() + thread.last, time);
    if (after == first) return no_index;
    const auto call = static_cast<std::uint32_t>(after - start.begin()) - 1;
    return time <= end[call] ? call : no_index;
  }
  return no_index;
}

}  // namespace lapscope::analyzer
