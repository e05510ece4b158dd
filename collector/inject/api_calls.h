#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "collector/cupti/cupti_api.h"
#include "collector/request/request.h"

// Which functions of the runtime and driver API are recorded: the names are CUPTI's, with the
// suffixes that it adds (cudaGetDevice_v3020).
namespace lapscope::inject {

// Neither issues work, waits, allocates nor loads: a record of it explains nothing and only costs.
// Left out unless all calls are asked for.
bool is_quiet(std::string_view callback_name);

// Issues kernels, copies or memsets, or bounds a part of the run (cudaProfilerStart) or what a
// stream captures: all that is recorded of calls where only measures are wanted.
bool issues_work(std::string_view callback_name);

// Whether calls of this function are recorded.
bool is_recorded(const request::Request& request, CUpti_CallbackDomain domain,
                 std::string_view callback_name);

constexpr bool is_of_calls(CUpti_ActivityKind kind) {
  return kind == CUPTI_ACTIVITY_KIND_RUNTIME || kind == CUPTI_ACTIVITY_KIND_DRIVER;
}

// Records the functions that are asked for, and gives what CUPTI answered, by kind; of a light
// recording, which has no kind as a whole, only a refusal.
//
// Each function is enabled by itself. If DRIVER is enabled as a whole, each call of the runtime
// takes 200 ns longer, also quiet calls, which have no record (H200, CUPTI 130001,
// research/collector-cost.md). If libcupti cannot enable single functions (before 12.5), or all
// calls are asked for, the kinds are enabled.
std::vector<std::pair<CUpti_ActivityKind, CUptiResult>> record_calls(
    const cupti::CuptiApi& cupti, const request::Request& request);

}  // namespace lapscope::inject
