#pragma once

#include <string_view>

#include "collector/cupti/cupti_api.h"

namespace lapscope::inject {

// Whether a function, by CUPTI's name of it (cudaGetDevice_v3020), is a cheap query: it neither
// issues work, waits, allocates nor loads, so that a record of it explains nothing and only costs.
bool is_quiet_call(std::string_view callback_name);

// Switches records of such functions off, where libcupti can (12.5 and later). Must follow the
// enabling of the kinds, which would switch them on again.
void disable_quiet_calls(const cupti::CuptiApi& cupti);

}  // namespace lapscope::inject
