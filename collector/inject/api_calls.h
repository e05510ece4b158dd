#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "collector/cupti/cupti_api.h"
#include "collector/request/request.h"

// Decides which functions of the runtime and driver API are recorded. Names are CUPTI's, with its
// suffixes (cudaGetDevice_v3020).
namespace lapscope::inject {

// Whether the function does not issue work, does not wait, does not allocate memory and does not
// load code. A record of its calls costs time and explains nothing. Such calls are therefore
// recorded only if all calls are requested.
bool is_quiet(std::string_view callback_name);

// Whether the function issues kernels, copies or memsets. Also true if it begins or ends a part of
// the run (cudaProfilerStart) or a stream capture. A light recording, which serves only for
// measurements, records no other functions.
bool issues_work(std::string_view callback_name);

// Whether calls of this function are recorded.
bool is_recorded(const request::Request& request, CUpti_CallbackDomain domain,
                 std::string_view callback_name);

constexpr bool is_of_calls(CUpti_ActivityKind kind) {
  return kind == CUPTI_ACTIVITY_KIND_RUNTIME || kind == CUPTI_ACTIVITY_KIND_DRIVER;
}

// Enables the records of the functions that are asked for. Returns CUPTI's results by kind. For a
// light recording of a process that is not armed, the list is empty. It is not empty if CUPTI
// refuses the kind RUNTIME.
//
// Each function is enabled by itself. If the kind DRIVER is enabled as a whole, each runtime call
// takes 200 ns longer. This includes calls without a record (H200, CUPTI 130001,
// research/collector-cost.md). The kinds are enabled as a whole in three cases. libcupti cannot
// enable single functions (before 12.5), all calls are requested, or the process is armed.
std::vector<std::pair<CUpti_ActivityKind, CUptiResult>> record_calls(
    const cupti::CuptiApi& cupti, const request::Request& request);

}  // namespace lapscope::inject
