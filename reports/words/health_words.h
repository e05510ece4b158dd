#pragma once

#include <string>
#include <vector>

#include "analyzer/model/health.h"

namespace lapscope::reports {

// Explains a defect of the recording in sentences.
std::string message_of(const analyzer::HealthRow& row);

// Returns the next step as a sentence. May be empty.
std::string remedy_of(const analyzer::HealthRow& row);

// Sorts the rows by severity, the worst first.
std::vector<analyzer::HealthRow> worst_first(std::vector<analyzer::HealthRow> health);

// Lists NVTX ranges to choose from: "'step *', 'main' and 3 more".
std::string ranges_to_name(const std::vector<std::string>& names);

}  // namespace lapscope::reports
