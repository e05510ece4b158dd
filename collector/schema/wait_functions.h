#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>

// All CUDA functions that wait for the device, make a stream wait for an event, or ask whether work
// is done. Deprecated names are included. The collector records the calls of these functions. The
// readers look up the function of a record in this list.
namespace lapscope::schema {

enum class WaitKind : std::uint8_t {
  waits_for_context,
  waits_for_stream,
  waits_for_event,
  asks_for_stream,
  asks_for_event,
  stream_waits_for_event,
};

struct WaitFunction {
  std::string_view name;
  WaitKind kind;
};

inline constexpr WaitFunction wait_functions[] = {
    {"cudaDeviceSynchronize", WaitKind::waits_for_context},
    {"cudaThreadSynchronize", WaitKind::waits_for_context},  // old name, until CUDA 4.0
    {"cuCtxSynchronize", WaitKind::waits_for_context},
    {"cudaStreamSynchronize", WaitKind::waits_for_stream},
    {"cuStreamSynchronize", WaitKind::waits_for_stream},
    {"cudaEventSynchronize", WaitKind::waits_for_event},
    {"cuEventSynchronize", WaitKind::waits_for_event},
    {"cudaStreamQuery", WaitKind::asks_for_stream},
    {"cuStreamQuery", WaitKind::asks_for_stream},
    {"cudaEventQuery", WaitKind::asks_for_event},
    {"cuEventQuery", WaitKind::asks_for_event},
    {"cudaStreamWaitEvent", WaitKind::stream_waits_for_event},
    {"cuStreamWaitEvent", WaitKind::stream_waits_for_event},
};

// Returns the function with this name; null if the list lacks it. Ignores the suffixes of variants
// in CUPTI's names, as in cuCtxSynchronize_v2 and cudaStreamSynchronize_ptsz_v7000.
constexpr const WaitFunction* wait_function(std::string_view recorded) {
  const std::string_view name = recorded.substr(0, recorded.find('_'));
  const auto* found =
      std::find_if(std::begin(wait_functions), std::end(wait_functions),
                   [name](const WaitFunction& function) { return function.name == name; });
  return found == std::end(wait_functions) ? nullptr : found;
}

}  // namespace lapscope::schema
