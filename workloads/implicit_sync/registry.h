#pragma once

#include <string>
#include <vector>

#include "workloads/implicit_sync/call.h"

namespace lapscope::workloads::implicit_sync {

// All calls, the controls first, in the order in which they must be measured: the size of the
// printf buffer can be set only before a kernel that prints is launched.
const std::vector<Call>& all_calls();

// The calls whose name, or the function in it, is one of `names`, in the order of `all_calls`; all
// of them if `names` is empty. The controls are always among them. Throws UsageError, listing the
// functions, if nothing has one of the names.
std::vector<const Call*> select_calls(const std::vector<std::string>& names);

}  // namespace lapscope::workloads::implicit_sync
