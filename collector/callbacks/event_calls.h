#pragma once

#include <cuda.h>
#include <cupti.h>

#include <cstdint>
#include <optional>
#include <span>

#include "collector/callbacks/callback_events.h"
#include "collector/cupti/cupti_api.h"

// Calls that make, record and query CUDA events, and calls that wait. CUPTI has records of them,
// but where it is asked for these every call of CUDA takes 100 ns longer, whatever it does
// (research/collector-cost.md).
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
  // Where the arguments are, as in TracedFunction. For a function that makes an event: the position
  // of the pointer to where the event is put.
  std::uint8_t event_word;
  std::uint8_t stream_word;
  bool per_thread_default;  // stream 0 is the thread's own
};

std::span<const EventFunction> event_functions();

// Takes constant time: a program may call these all the time. Null if it is none of them.
const EventFunction* event_function(CUpti_CallbackDomain domain, CUpti_CallbackId id);

// Whose events the function makes. Captures matter to both sources.
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

// The function of the driver in this process; null if there is no driver.
StreamIsCapturing stream_is_capturing_of_driver();

// What is known of a call beside what CUPTI hands over.
struct EventCall {
  std::uint64_t begin = 0;  // CUPTI's clock
  std::uint64_t end = 0;
  StreamIsCapturing is_capturing = nullptr;  // null when no stream can be
};

// The event of a call that has returned; nothing if there is none to record, for example because
// the call failed.
std::optional<Event> event_of(const EventFunction& function, const CUpti_CallbackData& data,
                              const EventCall& call, const cupti::CuptiApi& cupti);

}  // namespace lapscope::callbacks
