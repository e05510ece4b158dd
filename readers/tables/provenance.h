#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/intervals/interval_set.h"
#include "analyzer/intervals/units.h"
#include "analyzer/model/capabilities.h"
#include "analyzer/model/health.h"
#include "analyzer/model/ops.h"
#include "analyzer/model/trace.h"
#include "collector/schema/sqlite.h"

namespace lapscope::analyzer {

// LAPSCOPE_CAPTURE as a map. The names are in collector/schema/capture_facts.h.
using Capture = std::map<std::string, std::string, std::less<>>;
Capture read_capture(schema::Database& database);

// Returns the value of a fact; empty if it is absent.
std::string fact_of(const Capture& capture, std::string_view name);

// Returns the facts about the recorded command, its host and the versions of driver and CUPTI.
TraceFacts facts_of(const Capture& capture);

// Returns the end of the recording in session ns: the collector's last reading of the host's clock.
// No record of the trace ends later. Returns nothing if the trace has no reading.
std::optional<Ns> last_reading(schema::Database& database);

// Returns the value of TraceFacts::identity.
std::string run_identity(schema::Database& database);

// Returns the kinds of records that were requested and not refused. TraceFacts::recorded begins
// with these kinds; later steps add hardware channels and remove kinds with missing rows. If the
// trace does not list kinds, returns the kinds whose tables exist.
std::vector<std::string> recorded_kinds(schema::Database& database, const Capabilities& knows);

// Reads Trace::runs, Trace::unrecorded, Trace::call_costs, and the facts `identity` and `recorded`.
// Call it when the devices are set.
void read_provenance(schema::Database& database, Trace& trace);

// Returns the captured interval in session ns; nothing if all of the run was captured. The interval
// is empty if the event that starts the capture never occurred. Adds a health row about the
// captured part, or about the empty interval.
std::optional<Interval> read_stretch(schema::Database& database, std::vector<HealthRow>& health);

// Cuts ops at the borders of the interval. The trace may lack ops outside the interval. The time
// outside the interval therefore counts in no figure.
//
//   interval     |------------|
//   recorded  [aaaa]  [b]   [cccc]
//   clipped      [a]  [b]   [cc]
void clip(Ops& ops, Interval stretch);

}  // namespace lapscope::analyzer
