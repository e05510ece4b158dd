#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace lapscope::analyzer {

// What can keep an op from starting. The first eight are told by the device's side; those after
// them are the host's: the op had not been issued yet.
enum class Cause : std::uint8_t {
  stream_order,            // the previous op of its stream
  default_stream_barrier,  // the legacy default stream, which waits for blocking streams and they
                           // for it
  event_wait,              // a cudaStreamWaitEvent
  copy_engine,             // the engine that copies in this direction was busy
  sm_saturated,            // other kernels left no room on the multiprocessors
  queue_alias,             // an op of another stream ahead in the same hardware channel
  host_func,               // a host function in its stream
  graph_edge,              // the order within a CUDA graph
  host_sync,               // the issuing thread waited for the device on purpose
  pageable_copy,           // it was in a copy from or to pageable memory
  alloc_free,              // it allocated or released device memory
  host_pinning,            // it allocated or released page-locked memory
  module_load,             // code was being loaded
  launch_blocking,         // each launch waited for its work: CUDA_LAUNCH_BLOCKING
  launch_overhead,         // the call that issued it, or the issue of ops before it
  host_compute,            // the thread was outside CUDA, or in other calls
  unexplained,             // none of the above accounts for the delay
};

inline constexpr std::size_t cause_count = 17;

// Whether the host had not issued the op yet.
constexpr bool is_of_host(Cause cause) {
  return Cause::host_sync <= cause && cause <= Cause::host_compute;
}

// Stable codes, as default-stream-barrier.
std::string_view code_of(Cause cause);
// All of them, in the order of the values.
std::span<const std::string_view> cause_codes();

std::optional<Cause> cause_of_code(std::string_view code);

}  // namespace lapscope::analyzer
