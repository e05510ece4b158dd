#pragma once

#include <map>
#include <string>

#include "analyzer/model/trace.h"
#include "collector/schema/sqlite.h"

namespace lapscope::analyzer {

// LAPSCOPE_CAPTURE as a map; names are in collector/schema/capture_facts.h.
std::map<std::string, std::string, std::less<>> read_capture(schema::Database& database);

// LAPSCOPE_ENVIRONMENT as a map.
std::map<std::string, std::string, std::less<>> read_settings(schema::Database& database);

// Everything in LAPSCOPE_* tables that says how far the trace can be trusted.
std::vector<HealthRow> read_health(schema::Database& database);

}  // namespace lapscope::analyzer
