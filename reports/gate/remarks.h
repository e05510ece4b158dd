#pragma once

#include <string>
#include <vector>

#include "analyzer/gate/remark.h"

namespace lapscope::reports {

// A remark as a sentence or two; "" of none. Not printable() yet.
std::string sentence_of(const analyzer::Remark& remark);

std::vector<std::string> sentences_of(const std::vector<analyzer::Remark>& remarks);

}  // namespace lapscope::reports
