#pragma once

#include <string_view>

#include "collector/cupti/cupti_api.h"
#include "collector/request/request.h"

// Which functions of the runtime and driver API are recorded: the names are CUPTI's, with the
// suffixes that it adds (cudaGetDevice_v3020).
namespace lapscope::inject {

// Neither issues work, waits, allocates nor loads: a record of it explains nothing and only costs.
// Left out unless all calls are asked for.
bool is_quiet(std::string_view callback_name);

// Issues kernels, copies or memsets, or bounds what cudaProfilerStart and cudaProfilerStop bound:
// all that is recorded of calls where only measures are wanted.
bool issues_work(std::string_view callback_name);

// Switches functions on and off, as asked for. Where libcupti cannot (before 12.5), all of a kind
// are recorded. Must follow the enabling of the kinds, which would switch all functions on again.
//
// Of a light recording, whether CUPTI records any of the runtime's calls that issue work: its
// answer. Else success.
CUptiResult choose_calls(const cupti::CuptiApi& cupti, const request::Request& request);

}  // namespace lapscope::inject
