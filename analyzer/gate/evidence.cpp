#include "analyzer/gate/evidence.h"

#include <array>

namespace lapscope::analyzer {
namespace {

// What the host did is told by the calls of both APIs.
constexpr std::array<std::string_view, 2> calls = {"DRIVER", "RUNTIME"};
// What it waited for, by records of the wait, and of the event where it was for one.
constexpr std::array<std::string_view, 4> waits = {"CUDA_EVENT", "DRIVER", "RUNTIME",
                                                   "SYNCHRONIZATION"};
constexpr std::array<std::string_view, 3> loads = {"DRIVER", "OVERHEAD", "RUNTIME"};
constexpr std::array<std::string_view, 2> streams = {"CONTEXT", "STREAM"};
constexpr std::array<std::string_view, 1> limits = {"DEVICE"};
constexpr std::array<std::string_view, 1> channels = {"hardware channels"};

}  // namespace

std::span<const std::string_view> evidence_of(Cause cause) {
  switch (cause) {
    case Cause::stream_order:
    case Cause::copy_engine:
    case Cause::not_issued:
    case Cause::unexplained:
      return {};  // ops tell it themselves
    case Cause::default_stream_barrier:
      return streams;
    case Cause::event_wait:
    case Cause::host_sync:
      return waits;
    case Cause::sm_saturated:
      return limits;
    case Cause::queue_alias:
      return channels;
    case Cause::module_load:
    case Cause::profiler:
      return loads;
    case Cause::host_func:
    case Cause::graph_edge:
    case Cause::pageable_copy:
    case Cause::alloc_free:
    case Cause::host_pinning:
    case Cause::launch_blocking:
    case Cause::launch_overhead:
    case Cause::launch_latency:
    case Cause::host_call:
    case Cause::host_compute:
      break;
  }
  return calls;
}

}  // namespace lapscope::analyzer
