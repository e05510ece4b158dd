#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/model/trace.h"
#include "analyzer/reader/open_trace.h"
#include "collector/schema/sqlite.h"

namespace lapscope::analyzer {

// Stands in TraceFacts::recorded when ops tell their channel. No kind of record: a column.
inline constexpr std::string_view hardware_channels = "hardware channels";

// TraceFacts::identity.
std::string run_identity(schema::Database& database);

// TraceFacts::recorded, without hardware channels. A lapscope trace says what was asked for and not
// refused; of an export of Nsight Systems only the tables that are there show that.
std::vector<std::string> recorded_kinds(schema::Database& database, TraceFormat format);

bool tells_channels(const std::vector<Device>& devices);

}  // namespace lapscope::analyzer
