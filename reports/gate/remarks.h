#pragma once

#include <string>
#include <vector>

#include "analyzer/gate/remark.h"

namespace lapscope::reports {

// Returns a remark as one or two sentences. Returns "" for an empty remark. Pass the result through
// printable() before it is shown.
std::string sentence_of(const analyzer::Remark& remark);

std::vector<std::string> sentences_of(const std::vector<analyzer::Remark>& remarks);

}  // namespace lapscope::reports
