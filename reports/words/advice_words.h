#pragma once

#include <string>

#include "analyzer/findings/causes_result.h"

namespace lapscope::reports {

// What was seen and what to do: sentences. Names in it are as they are in the trace. `causes` is
// the result that the advice belongs to.
std::string sentences_of(const analyzer::Advice& advice, const analyzer::CausesResult& causes);

}  // namespace lapscope::reports
