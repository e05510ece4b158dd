#include <algorithm>
#include <cstdlib>

#include "analyzer/model/limits.h"
#include "collector/schema/capture_facts.h"
#include "readers/lapscope/recording_health.h"
#include "readers/tables/provenance.h"
#include "readers/tables/read_stretch.h"
#include "readers/tables/reading_health.h"
#include "readers/trace_format.h"

namespace lapscope::analyzer {
namespace {

Ns flush_period_ns(const std::string& ms) {
  constexpr std::int64_t ns_per_ms = 1'000'000;
  return ns_per_ms * std::clamp<std::int64_t>(std::atoll(ms.c_str()), 0, limits::flush_period_ms);
}

Extent begin(schema::Database& database, Trace& trace) {
  const Capture capture = read_capture(database);
  trace.facts = facts_of(capture);
  trace.facts.recorder = "lapscope " + fact_of(capture, schema::fact::tool_version);
  trace.settings = read_settings(database);
  trace.health = recording_health(database);
  Extent extent;
  extent.stretch = read_stretch(database, trace.health);
  const bool is_complete =
      fact_of(capture, schema::fact::recording) == schema::recording_state::complete;
  extent.is_whole =
      is_complete && !extent.stretch && fact_of(capture, schema::fact::yields_to_app).empty();
  if (!is_complete) {
    extent.unwritten = flush_period_ns(fact_of(capture, schema::fact::flush_period_ms));
  }
  extent.lacks_graphs = add_untraced_graphs(database, HealthKind::graphs_not_traced, trace.health);
  return extent;
}

}  // namespace

const TraceFormat lapscope_format = {.name = "lapscope",
                                     .recorder = "lapscope",
                                     .database = "a lapscope trace",
                                     .obeys_laws = true,
                                     .begin = begin};

}  // namespace lapscope::analyzer
