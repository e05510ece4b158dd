#pragma once

#include <string>
#include <string_view>

#include "analyzer/model/cause.h"
#include "analyzer/model/ops.h"

namespace lapscope::reports {

// Returns what the fix of a cause changes in a program: "launches return at once". Empty if the
// cause has no fix.
std::string_view change_of(analyzer::Cause cause);

// Explains the number that may follow the fix's code after a colon. Empty if no number may follow.
std::string_view number_of(analyzer::Cause cause);

// Explains why the saving by page-locked memory is unknown: the trace does not show how fast
// `engine` copies page-locked memory.
std::string unknown_rate_sentences(std::string_view engine);

}  // namespace lapscope::reports
