#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace lapscope::analyzer {

// Why an op started later than it could have: the constraint that was met last.
enum class Cause : std::uint8_t {
  default_stream_barrier,  // the legacy default stream and blocking streams wait for each other
  event_wait,              // cudaStreamWaitEvent
  copy_engine,             // the copy engine of its direction was busy
  sm_saturated,            // no room was left on the multiprocessors
  queue_alias,             // another stream's op was ahead of it in the same hardware channel
  host_func,               // a host function in its stream
  graph_edge,              // the order inside a CUDA graph
  stream_order,            // the op before it in its stream
  host_sync,               // from here to host_compute: it had not been issued yet, because the
  pageable_copy,           // thread was in a synchronising call, a copy of pageable memory,
  alloc_free,              // an allocation or release of device memory,
  host_pinning,            // an allocation or release of page-locked memory,
  module_load,             // code being loaded or compiled,
  launch_blocking,         // a launch that CUDA_LAUNCH_BLOCKING made wait,
  launch_overhead,         // a launch,
  host_compute,            // or outside CUDA
  unexplained,             // none of the above accounts for it
};

inline constexpr std::size_t cause_count = 17;

// Stable codes, as default-stream-barrier.
std::string_view code_of(Cause cause);
std::optional<Cause> cause_of_code(std::string_view code);

// All codes, in the order of Cause.
std::span<const std::string_view> cause_codes();

}  // namespace lapscope::analyzer
