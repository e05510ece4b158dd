#pragma once

#include <vector>

#include "analyzer/model/health.h"

namespace lapscope::reports {

// The defects of a recording, the worst first.
std::vector<analyzer::HealthRow> worst_first(std::vector<analyzer::HealthRow> health);

}  // namespace lapscope::reports
