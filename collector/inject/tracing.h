#pragma once

#include <string>
#include <utility>
#include <vector>

#include "collector/callbacks/listener.h"
#include "collector/cupti/cupti_api.h"
#include "collector/host_samples/host_sampler.h"
#include "collector/request/request.h"

namespace lapscope::inject {

struct TracingStart {
  std::vector<std::pair<CUpti_ActivityKind, CUptiResult>> kinds;
  std::vector<std::pair<callbacks::Source, CUptiResult>> callbacks;
  stacks::CallStacks* stacks = nullptr;                // of calls; null if none are captured
  callbacks::StackCalls* stack_calls = nullptr;        // null if no stacks are captured
  stacks::CallStacks::Counts stacks_before;            // counts when the recording began
  const host_samples::HostSampler* sampler = nullptr;  // null if the host is not sampled
  std::string no_native_frames;  // why running threads have none; empty if they have some
  std::string no_python_frames;  // why there are none; empty if there are some, or no Python
  std::string problem;           // one sentence if CUPTI cannot be used at all
  CUpti_SubscriberHandle subscriber = nullptr;
};

// Sets CUPTI up, and enables its records of devices, links, contexts and streams. Call it once,
// during cuInit, because several settings have no effect after the first context is made. CUPTI
// delivers each of these records only once.
TracingStart prepare_tracing(const cupti::CuptiApi& cupti, const request::Request& request,
                             callbacks::Listener& listener,
                             CUpti_BuffersCallbackRequestFunc buffer_requested,
                             CUpti_BuffersCallbackCompleteFunc buffer_completed);

// Enables the other activity kinds that the request wants, and the callbacks of `listener`. If the
// request wants call stacks, the callbacks store them in `stacks`. Call it once.
void start_tracing(const cupti::CuptiApi& cupti, const request::Request& request,
                   callbacks::Listener& listener, stacks::CallStacks* stacks, TracingStart& start);

// Returns the part of `start` that this request wants. Records of calls are always part of it.
TracingStart wanted_part(const cupti::CuptiApi& cupti, const request::Request& request,
                         const TracingStart& start);

// Enables `part`, and disables everything else that start_tracing() has enabled. `part` is a part
// of `start`. An empty `part` disables everything. Requires cuptiActivityDisable.
void switch_tracing(const cupti::CuptiApi& cupti, callbacks::Listener& listener,
                    const TracingStart& start, const TracingStart& part);

}  // namespace lapscope::inject
