#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/model/trace.h"
#include "analyzer/reader/open_trace.h"
#include "collector/schema/sqlite.h"

namespace lapscope::analyzer {

// LAPSCOPE_CAPTURE as a map; names are in collector/schema/capture_facts.h.
std::map<std::string, std::string, std::less<>> read_capture(schema::Database& database);

// LAPSCOPE_ENVIRONMENT as a map.
std::map<std::string, std::string, std::less<>> read_settings(schema::Database& database);

// Everything in LAPSCOPE_* tables that says how far the trace can be trusted.
std::vector<HealthRow> read_health(schema::Database& database);

// TraceFacts::identity.
std::string run_identity(schema::Database& database);

// TraceFacts::recorded, without hardware channels. A lapscope trace says what was asked for and not
// refused; where it does not, and of other tools, only the tables that are there show that.
std::vector<std::string> recorded_kinds(schema::Database& database, TraceFormat format);

bool has_channels(const std::vector<Device>& devices);

// What was run in turn with this recording.
std::vector<RunTime> read_runs(schema::Database& database);

// What a calibration found that recording adds.
CallCosts read_call_costs(schema::Database& database);

}  // namespace lapscope::analyzer
