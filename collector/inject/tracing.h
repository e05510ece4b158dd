#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collector/callbacks/listener.h"
#include "collector/cupti/cupti_api.h"
#include "collector/request/request.h"

namespace lapscope::inject {

struct TracingStart {
  std::vector<std::pair<CUpti_ActivityKind, CUptiResult>> kinds;
  std::vector<std::pair<callbacks::Source, CUptiResult>> callbacks;
  std::string problem;  // one sentence when CUPTI could not be had at all
};

// Sets CUPTI up and enables every kind that is asked for, and the callbacks that `listener` needs.
// To be called once, during cuInit: several settings have an effect only before the first context
// exists.
TracingStart start_tracing(const cupti::CuptiApi& cupti, const request::Request& request,
                           callbacks::Listener& listener,
                           CUpti_BuffersCallbackRequestFunc buffer_requested,
                           CUpti_BuffersCallbackCompleteFunc buffer_completed);

// Whether a function, by CUPTI's name of it (cudaGetDevice_v3020), is a cheap query: it neither
// issues work, waits, allocates nor loads, so that a record of it explains nothing and only costs.
bool is_cheap_query(std::string_view callback_name);

// Switches records of such functions off, where libcupti can (12.5 and later). Must follow the
// enabling of the kinds, which would switch them on again.
void disable_cheap_queries(const cupti::CuptiApi& cupti);

}  // namespace lapscope::inject
