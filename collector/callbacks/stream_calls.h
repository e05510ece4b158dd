#pragma once

#include <cupti.h>

#include <cstdint>
#include <optional>
#include <span>

#include "collector/callbacks/callback_events.h"
#include "collector/cupti/cupti_api.h"

namespace lapscope::callbacks {

// An API function whose stream is in no activity record, and where its arguments are: CUPTI hands
// them over as a struct, all of whose members up to those are 8 bytes long.
struct TracedFunction {
  CUpti_CallbackDomain domain;
  CUpti_CallbackId id;
  Source source;
  std::uint8_t stream_word;
  std::uint8_t subject_word;  // host function, executable graph, address, count, configuration
  bool per_thread_default;    // stream 0 is the thread's own
  StreamMemoryOp::Operation operation = StreamMemoryOp::Operation::wait;
};

// Few, and none that is called often but for launches with attributes: a callback costs a launch of
// a kernel about a tenth more.
std::span<const TracedFunction> traced_functions();

// The event of a call that has succeeded; nothing if there is none to record.
std::optional<Event> event_of(const TracedFunction& function, const CUpti_CallbackData& call,
                              std::optional<std::uint64_t> captured_node,
                              const cupti::CuptiApi& cupti);

// Reads the configuration that a launch function of this API was given: a cudaLaunchConfig_t of the
// runtime's, a CUlaunchConfig of the driver's. Sets the attributes of `launch`; returns the stream,
// or nothing when the launch has no attribute that changes when kernels start.
std::optional<CUstream> read_launch(CUpti_CallbackDomain domain, const void* configuration,
                                    LaunchAttributes& launch);

}  // namespace lapscope::callbacks
