#pragma once

#include <string>
#include <string_view>

#include "analyzer/measures/activity.h"
#include "analyzer/model/ops.h"

namespace lapscope::reports {

// "copy to device"
std::string_view word_of(analyzer::Engine engine);

// "compute + copy to host", or "idle"
std::string words_of(const analyzer::StateTime& state);

// The words for an engine by its name ("h2d"), and anything else as it is.
std::string_view word_of_code(std::string_view code);

}  // namespace lapscope::reports
