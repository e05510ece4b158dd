#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "analyzer/intervals/interval_set.h"
#include "analyzer/intervals/units.h"

namespace lapscope::analyzer {

// The purpose of a CUDA API function.
enum class CallKind : std::uint8_t {
  launch,         // kernels, cooperative and extended launches
  graph_launch,   // all nodes of a graph
  copy_async,     // cudaMemcpyAsync and similar ones: returns early unless memory is pageable
  copy_blocking,  // cudaMemcpy and similar ones
  memset,         // cudaMemset and similar ones
  synchronize,    // waits on purpose: device, stream, event
  allocate,       // device memory
  release,        // device memory; waits for running work on current drivers
  pool,           // device memory of a pool, in the order of a stream; never waits
  allocate_host,  // page-locked host memory
  release_host,   // page-locked host memory; waits for running work
  load,           // modules, libraries, their functions
  host_function,  // enqueues a callback on the host
  wait_event,     // makes a stream wait, not the host
  record_event,   // records an event in a stream
  query,          // asks for the state of an event or stream; does not wait
  other,
};

std::string_view name_of(CallKind kind);

// Whether the host may wait for a device in a call of this kind, even if the launch queue has room.
constexpr bool may_wait(CallKind kind) {
  switch (kind) {
    case CallKind::copy_async:
    case CallKind::copy_blocking:
    case CallKind::synchronize:
    case CallKind::release:
    case CallKind::release_host:
      return true;
    default:
      return false;
  }
}

// Returns the process or the thread of a global thread id, which is laid out as in exports of
// Nsight Systems.
constexpr std::uint32_t pid_of(std::int64_t global_tid) {
  return static_cast<std::uint32_t>(global_tid >> 24 & 0xFFFFFF);
}
constexpr std::uint32_t tid_of(std::int64_t global_tid) {
  return static_cast<std::uint32_t>(global_tid & 0xFFFFFF);
}

// Returns the kind of a function by its name in CUPTI or nsys, such as cudaMemcpyAsync_ptsz_v7000.
CallKind call_kind(std::string_view function);

// The CUDA API calls of the host in columns, thread by thread. A call takes 21 bytes.
//
// First come the outermost calls of a thread. They are disjoint and sorted by start. Then come the
// calls inside them, sorted by start, such as a driver function that a runtime function called.
struct Calls {
  std::vector<Ns> start;
  std::vector<Ns> end;
  std::vector<std::uint32_t> name;  // in Trace::names
  std::vector<CallKind> kind;

  struct Thread {
    std::int64_t global_tid = 0;  // process and thread, as in the trace
    std::uint32_t first = 0;      // its outermost calls are [first, last)
    std::uint32_t last = 0;
    std::uint32_t end = 0;  // the calls inside them are [last, end)
  };
  std::vector<Thread> threads;

  std::size_t size() const { return start.size(); }
  Interval interval(std::size_t call) const { return {start[call], end[call]}; }
  std::uint32_t thread_of(std::uint32_t call) const;  // index in `threads`
  // Returns the outermost call that a thread was in at `time`; no_index if it was in none.
  std::uint32_t call_at(std::int64_t global_tid, Ns time) const;
};

// Why a thread was delayed in an interval: by tracing, or by extra work of the driver in a call.
enum class OverheadKind : std::uint8_t { profiler, module_load, command_buffer_full };

struct Overhead {
  Interval interval;
  OverheadKind kind;
  std::int64_t global_tid = 0;
};

using Overheads = std::vector<Overhead>;  // by start

}  // namespace lapscope::analyzer
