#pragma once

#include <string>
#include <vector>

#include "analyzer/model/health.h"

namespace lapscope::reports {

// What a defect of the recording means, as sentences.
std::string message_of(const analyzer::HealthRow& row);

// The next step, as a sentence; may be empty.
std::string remedy_of(const analyzer::HealthRow& row);

// The worst first.
std::vector<analyzer::HealthRow> worst_first(std::vector<analyzer::HealthRow> health);

// NVTX ranges to choose from: "'step *', 'main' and 3 more".
std::string ranges_to_name(const std::vector<std::string>& names);

}  // namespace lapscope::reports
