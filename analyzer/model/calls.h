#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "analyzer/intervals/interval_set.h"

namespace lapscope::analyzer {

// What a CUDA API function is for, as far as it explains what the host was doing.
enum class CallKind : std::uint8_t {
  launch,         // kernels, graphs, cooperative and extended launches
  copy_async,     // cudaMemcpyAsync and its like: returns early unless memory is pageable
  copy_blocking,  // cudaMemcpy and its like
  memset,         //
  synchronize,    // waits on purpose: device, stream, event
  allocate,       // device memory
  release,        // device memory; waits for running work on current drivers
  allocate_host,  // page-locked host memory
  release_host,   //
  load,           // modules, libraries, their functions
  host_function,  // enqueues a call back to the host
  wait_event,     // makes a stream wait, not the host
  other,
};

std::string_view name_of(CallKind kind);

// From CUPTI's or nsys' name of the function, suffixes included: cudaMemcpyAsync_ptsz_v7000.
CallKind call_kind(std::string_view function);

// The host's CUDA API calls of all threads, a column each, by thread and then by start. 33 bytes a
// call.
struct Calls {
  std::vector<std::int64_t> start;
  std::vector<std::int64_t> end;
  std::vector<std::uint32_t> thread;  // index in `threads`
  std::vector<std::uint32_t> name;    // in Trace::names
  std::vector<std::uint32_t> stream;  // of a stream wait, the stream that waits; or no_index
  std::vector<CallKind> kind;

  struct Thread {
    std::int64_t global_tid = 0;  // process and thread, as in the trace
    std::uint32_t first = 0;      // its calls are [first, last)
    std::uint32_t last = 0;
  };
  std::vector<Thread> threads;

  std::size_t size() const { return start.size(); }
  Interval interval(std::size_t call) const { return {start[call], end[call]}; }
};

// Stretches in which a thread was held up by tracing or by work that the driver did for a call.
enum class OverheadKind : std::uint8_t { profiler, module_load, command_buffer_full };

struct Overhead {
  Interval interval;
  OverheadKind kind;
  std::int64_t global_tid = 0;
};

using Overheads = std::vector<Overhead>;  // by start

}  // namespace lapscope::analyzer
