#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/model/capabilities.h"
#include "analyzer/model/trace.h"
#include "collector/schema/sqlite.h"

namespace lapscope::analyzer {

// LAPSCOPE_CAPTURE as a map; names are in collector/schema/capture_facts.h.
using Capture = std::map<std::string, std::string, std::less<>>;
Capture read_capture(schema::Database& database);

// Empty if no fact has that name.
std::string fact_of(const Capture& capture, std::string_view name);

// What stands there of who recorded what, and with which.
TraceFacts facts_of(const Capture& capture);

// When the recording ended, in the trace's time, by the last reading of the host's clock: whatever
// the trace holds had ended by then. Nothing if the trace does not contain it.
std::optional<Ns> last_reading(schema::Database& database);

// TraceFacts::identity.
std::string run_identity(schema::Database& database);

// TraceFacts::recorded, without hardware channels: what was asked for and not refused. Where the
// trace does not say, only the tables that are there show that.
std::vector<std::string> recorded_kinds(schema::Database& database, const Capabilities& knows);

// Reads Trace::runs, call_costs and, of its facts, identity and recorded, when the devices are
// there.
void read_provenance(schema::Database& database, Trace& trace);

}  // namespace lapscope::analyzer
