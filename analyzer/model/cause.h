#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace lapscope::analyzer {

// What can delay the start of an op. Blame, idle time, findings and fixes all use these causes.
enum class Cause : std::uint8_t {
  // Causes on the device. The op had been issued.
  stream_order,            // the previous op of its stream
  default_stream_barrier,  // a wait between the legacy default stream and a blocking stream
  event_wait,              // a cudaStreamWaitEvent
  copy_engine,             // the engine that copies in this direction was busy
  small_copies,            // an earlier copy, with which it could have been merged
  sm_saturated,            // other kernels left no room on the multiprocessors
  queue_alias,             // an op of another stream ahead in the same hardware channel
  host_func,               // a host function in its stream
  graph_edge,              // the order within a CUDA graph
  graph_exec_reuse,        // an earlier launch of its executable graph
  launch_latency,          // the op was on its way from the host to the GPU
  // Causes on the host. The issuing thread had not issued the op yet.
  host_sync,        // the thread waited for the device on purpose
  pageable_copy,    // the thread was in a copy from or to pageable memory
  alloc_free,       // the thread allocated or released device memory
  host_pinning,     // the thread allocated or released page-locked memory
  module_load,      // code was being loaded or compiled
  launch_blocking,  // each launch waited for its kernel: CUDA_LAUNCH_BLOCKING
  launch_overhead,  // the call that issued the op, or the calls that issued earlier ops
  host_call,        // the thread was in another CUDA call
  host_compute,     // the thread was outside CUDA
  lock,             // the thread waited for another thread that does the same work, as for a lock
  profiler,         // tracing delayed the thread
  // Other causes.
  not_issued,   // no op follows: the window ends idle
  unexplained,  // none of the above accounts for the delay
};

inline constexpr std::size_t cause_count = 24;

// Whether a cause lies on the host: the host had not issued the op yet.
constexpr bool is_of_host(Cause cause) {
  return Cause::host_sync <= cause && cause <= Cause::profiler;
}

// Returns the cause whose fix also removes `cause`. For host_call, returns host_compute, because
// the fix of host_compute gives the work to another thread. Returns any other cause unchanged.
constexpr Cause mended_with(Cause cause) {
  return cause == Cause::host_call ? Cause::host_compute : cause;
}

// Stable codes, in the order of the values.
inline constexpr std::array<std::string_view, cause_count> cause_codes = {
    "stream-order",
    "default-stream-barrier",
    "event-wait",
    "copy-engine",
    "small-copies",
    "sm-saturated",
    "queue-alias",
    "host-func",
    "graph-edge",
    "graph-exec-reuse",
    "launch-latency",
    "host-sync",
    "pageable-copy",
    "alloc-free",
    "host-pinning",
    "module-load",
    "launch-blocking",
    "launch-overhead",
    "host-call",
    "host-compute",
    "lock",
    "profiler",
    "not-issued",
    "unexplained",
};

constexpr std::string_view code_of(Cause cause) {
  return cause_codes[static_cast<std::size_t>(cause)];
}

constexpr std::optional<Cause> cause_of_code(std::string_view code) {
  for (std::size_t cause = 0; cause < cause_count; ++cause) {
    if (cause_codes[cause] == code) return static_cast<Cause>(cause);
  }
  return std::nullopt;
}

}  // namespace lapscope::analyzer
