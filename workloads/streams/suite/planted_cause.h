#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lapscope::workloads::streams {

// The causes that a case can have. A cause keeps an operation from starting earlier. cause_code()
// returns the code with which an analysis reports it.
enum class Cause {
  stream_order,
  default_stream_barrier,
  event_wait,
  copy_engine,
  sm_saturated,
  queue_alias,
  host_func,
  graph_edge,
  host_sync,
  pageable_copy,
  alloc_free,
  host_pinning,
  module_load,
  launch_blocking,
  launch_overhead,
  host_compute,
};
inline constexpr std::size_t cause_count = static_cast<std::size_t>(Cause::host_compute) + 1;

// Returns a code such as "stream-order".
std::string_view cause_code(Cause cause);

// Returns a list such as "stream-order, event-wait", or "none" if `causes` is empty.
std::string cause_codes(const std::vector<Cause>& causes);

}  // namespace lapscope::workloads::streams
