#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace lapscope::analyzer {

// What can keep an op from starting: the one vocabulary of blame, of idle time, of findings and
// fixes.
enum class Cause : std::uint8_t {
  // Shown by the device's side: the op had been issued.
  stream_order,            // the previous op of its stream
  default_stream_barrier,  // the legacy default stream, which waits for blocking streams and they
                           // for it
  event_wait,              // a cudaStreamWaitEvent
  copy_engine,             // the engine that copies in this direction was busy
  small_copies,            // a copy that could have been one with it
  sm_saturated,            // other kernels left no room on the multiprocessors
  queue_alias,             // an op of another stream ahead in the same hardware channel
  host_func,               // a host function in its stream
  graph_edge,              // the order within a CUDA graph
  graph_exec_reuse,        // another launch of its executable graph
  launch_latency,          // it was on its way from the host to the GPU
  // The host's: the op had not been issued yet.
  host_sync,        // the issuing thread waited for the device on purpose
  pageable_copy,    // it was in a copy from or to pageable memory
  alloc_free,       // it allocated or released device memory
  host_pinning,     // it allocated or released page-locked memory
  module_load,      // code was being loaded or compiled
  launch_blocking,  // each launch waited for its work: CUDA_LAUNCH_BLOCKING
  launch_overhead,  // the call that issued it, or the issue of ops before it
  host_call,        // it was in another CUDA call
  host_compute,     // it was outside CUDA
  lock,             // it waited for a thread that does the same work, as for a lock
  profiler,         // tracing itself delayed it
  // Neither's.
  not_issued,   // no op follows: the window ends idle
  unexplained,  // none of the above accounts for the delay
};

inline constexpr std::size_t cause_count = 24;

// Whether the host had not issued the op yet.
constexpr bool is_of_host(Cause cause) {
  return Cause::host_sync <= cause && cause <= Cause::profiler;
}

// The cause whose fix mends this one, too: what a thread does in other calls can be done by another
// thread as what it does outside CUDA can.
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
