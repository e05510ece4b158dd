#include "workloads/streams/suite/planted_cause.h"

#include <array>

namespace lapscope::workloads::streams {
namespace {

constexpr std::array causes{
    Cause::stream_order,    Cause::default_stream_barrier,
    Cause::event_wait,      Cause::copy_engine,
    Cause::sm_saturated,    Cause::queue_alias,
    Cause::host_func,       Cause::graph_edge,
    Cause::host_sync,       Cause::pageable_copy,
    Cause::alloc_free,      Cause::host_pinning,
    Cause::module_load,     Cause::launch_blocking,
    Cause::launch_overhead, Cause::host_compute,
};

}  // namespace

std::string_view cause_code(Cause cause) {
  switch (cause) {
    case Cause::stream_order:
      return "stream-order";
    case Cause::default_stream_barrier:
      return "default-stream-barrier";
    case Cause::event_wait:
      return "event-wait";
    case Cause::copy_engine:
      return "copy-engine";
    case Cause::sm_saturated:
      return "sm-saturated";
    case Cause::queue_alias:
      return "queue-alias";
    case Cause::host_func:
      return "host-func";
    case Cause::graph_edge:
      return "graph-edge";
    case Cause::host_sync:
      return "host-sync";
    case Cause::pageable_copy:
      return "pageable-copy";
    case Cause::alloc_free:
      return "alloc-free";
    case Cause::host_pinning:
      return "host-pinning";
    case Cause::module_load:
      return "module-load";
    case Cause::launch_blocking:
      return "launch-blocking";
    case Cause::launch_overhead:
      return "launch-overhead";
    case Cause::host_compute:
      return "host-compute";
  }
  return "unknown";
}

std::string cause_codes(const std::vector<Cause>& causes) {
  std::string codes;
  for (const Cause cause : causes) {
    codes.append(codes.empty() ? "" : ", ").append(cause_code(cause));
  }
  return codes.empty() ? "none" : codes;
}

std::span<const Cause> all_causes() { return causes; }

}  // namespace lapscope::workloads::streams
