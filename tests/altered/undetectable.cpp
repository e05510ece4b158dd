#include "tests/altered/undetectable.h"

#include <algorithm>
#include <array>

namespace lapscope::altered {
namespace {

constexpr std::string_view times =
    "another time that the op's call, its stream and later waits allow";
constexpr std::string_view place = "no other record says where an op ran";

constexpr std::array all = {
    Undetectable{"CUPTI_ACTIVITY_KIND_KERNEL", "start end", times},
    Undetectable{"CUPTI_ACTIVITY_KIND_MEMCPY", "start end", times},
    Undetectable{"CUPTI_ACTIVITY_KIND_MEMSET", "start end", times},
    Undetectable{"CUPTI_ACTIVITY_KIND_KERNEL", "streamId channelId", place},
    Undetectable{"CUPTI_ACTIVITY_KIND_MEMCPY", "streamId channelId channelType", place},
    Undetectable{"CUPTI_ACTIVITY_KIND_MEMSET", "streamId channelId channelType", place},
    Undetectable{"CUPTI_ACTIVITY_KIND_KERNEL",
                 "gridX gridY gridZ blockX blockY blockZ registersPerThread staticSharedMemory "
                 "dynamicSharedMemory shortName demangledName",
                 "no other record has the kernel and the geometry of a launch"},
    Undetectable{"CUPTI_ACTIVITY_KIND_MEMCPY", "bytes", "no other record has the size of a copy"},
    Undetectable{"CUPTI_ACTIVITY_KIND_CUDA_EVENT", "streamId",
                 "no other record says in which stream an event was recorded"},
    Undetectable{"CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", "streamId",
                 "no other record says which stream waits, or is waited for"},
    Undetectable{"LAPSCOPE_GRAPH_LAUNCHES", "streamId",
                 "no other record says in which stream a graph was launched"},
    Undetectable{"CUPTI_ACTIVITY_KIND_RUNTIME", "start end globalTid",
                 "another time, or thread, at which the thread was in no call"},
    Undetectable{"CUPTI_ACTIVITY_KIND_OVERHEAD", "start end",
                 "another time at which the thread may have been stopped"},
    Undetectable{"NVTX_EVENTS", "start end textId globalTid",
                 "the program alone chooses the names and the times of its ranges"},
    Undetectable{"StringIds", "value",
                 "the program alone chooses the names of its kernels and ranges"},
    Undetectable{"TARGET_INFO_CUDA_STREAM", "flag priority",
                 "no other record says of which kind a stream is"},
    Undetectable{"TARGET_INFO_GPU",
                 "asyncEngines maxWarpsPerSm maxBlocksPerSm maxRegistersPerSm maxShmemPerSm "
                 "threadsPerWarp",
                 "no other record says what a multiprocessor holds, or how many engines copy"},
    Undetectable{"LAPSCOPE_LINKS", "bytesPerSecond", "no other record has the rate of a link"},
    Undetectable{
        "LAPSCOPE_LINKS", "*",
        "the system may list no link, and traces without the fact pcie-links do not say how "
        "many it listed"},
    Undetectable{"LAPSCOPE_ENVIRONMENT", "name value",
                 "no other record has the variables of the environment"},
};

bool is_among(std::string_view columns, std::string_view column) {
  while (!columns.empty()) {
    const auto end = std::min(columns.find(' '), columns.size());
    if (columns.substr(0, end) == column) return true;
    columns.remove_prefix(std::min(end + 1, columns.size()));
  }
  return false;
}

}  // namespace

std::span<const Undetectable> undetectable() { return all; }

std::string table_row(const Undetectable& one) {
  std::string columns(one.columns);
  for (auto at = columns.find(' '); at != std::string::npos; at = columns.find(' ', at + 2)) {
    columns.replace(at, 1, ", ");
  }
  return "| " + std::string(one.table) + " | " + columns + " | " + std::string(one.reason) + " |";
}

bool is_undetectable(const Alteration& alteration) {
  for (const std::string_view value : {"= -1", "= 2^63-1", "= NULL"}) {
    if (alteration.what.ends_with(value)) return false;
  }
  return std::any_of(all.begin(), all.end(), [&](const Undetectable& one) {
    return one.table == alteration.table && is_among(one.columns, alteration.column);
  });
}

}  // namespace lapscope::altered
