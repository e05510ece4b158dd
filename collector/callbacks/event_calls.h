#pragma once

#include <cuda.h>
#include <cupti.h>

#include <cstdint>
#include <optional>
#include <span>

#include "collector/callbacks/callback_events.h"
#include "collector/cupti/cupti_api.h"

// Callbacks of calls that create, record and query CUDA events, and of calls that wait. CUPTI's
// activity kinds for these calls cost more than callbacks. While such a kind is enabled, every CUDA
// call takes 100 ns longer, even calls without events or waits (research/collector-cost.md).
namespace lapscope::callbacks {

struct EventFunction {
  enum class Action : std::uint8_t {
    wait_for_context,
    wait_for_stream,
    query_stream,
    wait_for_event,
    query_event,
    stream_waits,
    record,
    make,
    begin_capture,
    end_capture,
  };
  CUpti_CallbackDomain domain;
  CUpti_CallbackId id;
  Action action;
  // Positions of the arguments, for argument() of arguments.h. If the function creates an event,
  // the argument at `event_word` is a pointer. CUDA returns the event's handle through it.
  std::uint8_t event_word;
  std::uint8_t stream_word;
  bool per_thread_default;  // stream 0 is the per-thread default stream
};

std::span<const EventFunction> event_functions();

// Returns the entry of a function; null if event_functions() does not contain it. Takes constant
// time, because programs may call these functions very often.
const EventFunction* event_function(CUpti_CallbackDomain domain, CUpti_CallbackId id);

// Returns whether the source needs callbacks of the function. The sources `synchronization` and
// `cuda_events` both need the functions that begin and end a stream capture.
constexpr bool belongs_to(const EventFunction& function, Source source) {
  using Action = EventFunction::Action;
  const bool is_of_events = function.action == Action::record || function.action == Action::make;
  const bool is_of_both =
      function.action == Action::begin_capture || function.action == Action::end_capture;
  if (source == Source::cuda_events) return is_of_events || is_of_both;
  return source == Source::synchronization && !is_of_events;
}

// The driver's cuStreamIsCapturing.
using StreamIsCapturing = CUresult (*)(CUstream, CUstreamCaptureStatus*);

// Returns cuStreamIsCapturing of the driver that is loaded in this process; null if there is none.
StreamIsCapturing stream_is_capturing_of_driver();

// Facts of a call that are not in the data of CUPTI's callback.
struct EventCall {
  std::uint64_t begin = 0;  // CUPTI's clock
  std::uint64_t end = 0;
  StreamIsCapturing is_capturing = nullptr;  // null if no stream can be capturing
};

// Returns the callback event that describes a finished call. Returns nothing if no event is needed,
// for example because the call failed.
std::optional<Event> event_of(const EventFunction& function, const CUpti_CallbackData& data,
                              const EventCall& call, const cupti::CuptiApi& cupti);

}  // namespace lapscope::callbacks
