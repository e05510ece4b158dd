#pragma once

#include <map>
#include <string>
#include <vector>

#include "analyzer/model/health.h"
#include "collector/schema/sqlite.h"

namespace lapscope::analyzer {

// Returns LAPSCOPE_ENVIRONMENT as a map.
std::map<std::string, std::string, std::less<>> read_settings(schema::Database& database);

// Returns the health rows for all LAPSCOPE_* tables that describe the recording.
std::vector<HealthRow> recording_health(schema::Database& database);

}  // namespace lapscope::analyzer
