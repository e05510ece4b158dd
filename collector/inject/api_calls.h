#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "collector/cupti/cupti_api.h"
#include "collector/request/request.h"

// Decides which functions of the runtime and driver API are recorded. Names have CUPTI's suffixes
// (cudaGetDevice_v3020).
namespace lapscope::inject {

// Returns whether the function is recorded only with Group::all_calls, because its record would
// take time and explain nothing. Returns false for functions that issue work, wait, allocate memory
// or load code.
bool is_quiet(std::string_view callback_name);

// Returns whether the function issues kernels, copies or memsets. Also returns true if it begins or
// ends a part of the run (cudaProfilerStart) or a stream capture. A light recording, which serves
// only for measurements, records no other functions.
bool issues_work(std::string_view callback_name);

bool is_recorded(const request::Request& request, CUpti_CallbackDomain domain,
                 std::string_view callback_name);

constexpr bool is_of_calls(CUpti_ActivityKind kind) {
  return kind == CUPTI_ACTIVITY_KIND_RUNTIME || kind == CUPTI_ACTIVITY_KIND_DRIVER;
}

// Enables the records of the functions that the request wants. Returns CUPTI's results by kind. For
// a light recording of a process that is not armed, returns only a failure of the kind RUNTIME.
//
// Normally, each function is enabled by itself. If the kind DRIVER is enabled as a whole, each
// runtime call takes 200 ns longer, even without a record (H200, CUPTI 130001,
// research/collector-cost.md). The kinds are enabled as a whole in three cases:
// - libcupti cannot enable single functions (before CUDA 12.5). A light recording of a process that
//   is not armed then enables only RUNTIME.
// - The request has Group::all_calls.
// - The process is armed (Capture::is_armed).
std::vector<std::pair<CUpti_ActivityKind, CUptiResult>> record_calls(
    const cupti::CuptiApi& cupti, const request::Request& request);

}  // namespace lapscope::inject
