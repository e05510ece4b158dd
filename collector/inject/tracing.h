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
  stacks::CallStacks* stacks = nullptr;                // of calls; null where none are captured
  callbacks::StackCalls* stack_calls = nullptr;        // likewise
  stacks::CallStacks::Counts stacks_before;            // when the recording began
  const host_samples::HostSampler* sampler = nullptr;  // null where the host is not sampled
  std::string no_native_frames;  // of threads that run; why, and empty where there are some
  std::string no_python_frames;  // why; empty where there are some, or there is no Python
  std::string problem;           // one sentence when CUPTI could not be had at all
  CUpti_SubscriberHandle subscriber = nullptr;
};

// Sets CUPTI up, and enables its records of devices, links, contexts and streams. To be called
// once, during cuInit: several settings have an effect only before the first context exists, and
// what exists then is reported once.
TracingStart prepare_tracing(const cupti::CuptiApi& cupti, const request::Request& request,
                             callbacks::Listener& listener,
                             CUpti_BuffersCallbackRequestFunc buffer_requested,
                             CUpti_BuffersCallbackCompleteFunc buffer_completed);

// Enables every other kind that is asked for, and the callbacks that `listener` needs. Stacks of
// calls come to `stacks` where these are asked for. To be called once.
void start_tracing(const cupti::CuptiApi& cupti, const request::Request& request,
                   callbacks::Listener& listener, stacks::CallStacks* stacks, TracingStart& start);

// Disables all that start_tracing() has enabled, and enables it again. CUPTI must have
// cuptiActivityDisable.
void pause_tracing(const cupti::CuptiApi& cupti, callbacks::Listener& listener,
                   const TracingStart& start);
void resume_tracing(const cupti::CuptiApi& cupti, callbacks::Listener& listener,
                    const TracingStart& start);

}  // namespace lapscope::inject
