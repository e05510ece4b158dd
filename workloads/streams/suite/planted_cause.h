#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lapscope::workloads::streams {

// What keeps an operation from starting: the causes that a case can plant. The codes are those that
// an analysis reports.
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

// "stream-order" and so on.
std::string_view cause_code(Cause cause);

// "stream-order, event-wait"; "none" without causes.
std::string cause_codes(const std::vector<Cause>& causes);

// All causes, in the order of the enumeration.
std::span<const Cause> all_causes();

}  // namespace lapscope::workloads::streams
