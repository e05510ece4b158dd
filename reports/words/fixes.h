#pragma once

#include <string>
#include <string_view>

#include "analyzer/model/cause.h"
#include "analyzer/model/ops.h"

namespace lapscope::reports {

// What the fix of a cause does to a program, as: launches return at once. Empty without a fix.
std::string_view change_of(analyzer::Cause cause);

// What the number means that may follow its code after a colon; empty when none may.
std::string_view number_of(analyzer::Cause cause);

// Why the gain of page-locked memory is not known: the rate of copies on an engine is not.
std::string unknown_rate_sentences(std::string_view engine);

}  // namespace lapscope::reports
