#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "workloads/streams/suite/case.h"

namespace lapscope::workloads::streams {

// Every case, in the order in which they teach.
const std::vector<Case>& all_cases();

// Throw UsageError with the list of the valid names and the nearest one.
const Case& find_case(std::string_view name);
const Variant& find_variant(const Case& chosen, std::string_view name);

}  // namespace lapscope::workloads::streams
