#pragma once

#include <map>
#include <string>
#include <vector>

#include "analyzer/model/health.h"
#include "collector/schema/sqlite.h"

namespace lapscope::analyzer {

// LAPSCOPE_ENVIRONMENT as a map.
std::map<std::string, std::string, std::less<>> read_settings(schema::Database& database);

// Everything in LAPSCOPE_* tables that says how far the trace can be trusted.
std::vector<HealthRow> recording_health(schema::Database& database);

}  // namespace lapscope::analyzer
