#pragma once

#include <string>

#include "analyzer/findings/causes_result.h"

namespace lapscope::reports {

// Returns, as sentences, what was seen and what to do. Names are not escaped. `causes` is the
// result that contains the advice.
std::string sentences_of(const analyzer::Advice& advice, const analyzer::CausesResult& causes);

}  // namespace lapscope::reports
