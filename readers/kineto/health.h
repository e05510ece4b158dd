#pragma once

#include <vector>

#include "analyzer/model/health.h"
#include "collector/schema/sqlite.h"

namespace lapscope::kineto {

// Adds what traces of PyTorch's profiler lack, and what was wrong with this one.
void add_health(schema::Database& database, std::vector<analyzer::HealthRow>& health);

}  // namespace lapscope::kineto
