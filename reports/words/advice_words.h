#pragma once

#include <string>

#include "analyzer/findings/causes_result.h"

namespace lapscope::reports {

// Returns sentences that state an observation and advice. Names are not escaped. `causes` is the
// result that contains the advice.
std::string sentences_of(const analyzer::Advice& advice, const analyzer::CausesResult& causes);

}  // namespace lapscope::reports
