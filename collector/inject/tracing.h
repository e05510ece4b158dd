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
  stacks::CallStacks* stacks = nullptr;                // null if no stacks of calls are captured
  callbacks::StackCalls* stack_calls = nullptr;        // null if no stacks are captured
  stacks::CallStacks::Counts stacks_before;            // counts when the recording began
  const host_samples::HostSampler* sampler = nullptr;  // null if the host is not sampled
  // Why samples of running threads will have no native frames; empty if they will have some.
  std::string no_native_frames;
  // Why stacks will have no Python frames; empty if they will have some, or if there is no Python.
  std::string no_python_frames;
  std::string problem;  // one sentence if CUPTI cannot be used at all, else empty
  CUpti_SubscriberHandle subscriber = nullptr;
};

// Sets CUPTI up, and enables its records of devices, links, contexts and streams, each of which
// CUPTI delivers only once. Must be called once, during cuInit, because several settings have no
// effect after the first context is made.
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
