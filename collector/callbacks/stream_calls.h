#pragma once

#include <cupti.h>

#include <cstdint>
#include <optional>
#include <span>

#include "collector/callbacks/callback_events.h"
#include "collector/cupti/cupti_api.h"

namespace lapscope::callbacks {

// An API function that takes a stream. No activity record contains this stream. `stream_word` and
// `subject_word` are positions of arguments, as in argument() (arguments.h).
struct TracedFunction {
  CUpti_CallbackDomain domain;
  CUpti_CallbackId id;
  Source source;
  std::uint8_t stream_word;
  std::uint8_t subject_word;  // host function, executable graph, address, count, configuration
  bool per_thread_default;    // stream 0 is the per-thread default stream
  StreamMemoryOp::Operation operation = StreamMemoryOp::Operation::wait;
};

// Returns the functions whose streams the listener reads in callbacks. The list is short, because a
// callback makes the launch of a kernel about 10 % longer. Programs call most of these functions
// rarely. Only launches with attributes are frequent.
std::span<const TracedFunction> traced_functions();

// Returns the callback event that describes a successful call. Returns nothing if no event is
// needed. `captured_node` is the graph node that the call made, if its stream was being captured.
std::optional<Event> event_of(const TracedFunction& function, const CUpti_CallbackData& call,
                              std::optional<std::uint64_t> captured_node,
                              const cupti::CuptiApi& cupti);

}  // namespace lapscope::callbacks
