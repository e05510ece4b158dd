#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/model/health.h"
#include "analyzer/model/trace.h"
#include "collector/schema/laws.h"
#include "collector/schema/sqlite.h"
#include "readers/tables/holes.h"
#include "readers/tables/reading_health.h"

// Checks that a trace obeys collector/schema/laws.h.
namespace lapscope::analyzer {

// A trace, and the counts that reading it produced.
struct TraceAsRead {
  schema::Database& database;
  const LargeTables& tables;  // only the counts are valid, not the rows
  const Trace& trace;
  const Extent& extent;
  std::int64_t unissued_ops = 0;
  std::int64_t ambiguous_calls = 0;
};

// Returns whether the trace states that the collector recorded it. The tables alone do not show
// this.
bool is_recording(schema::Database& database);

// Adds a row for each broken law. Call it only for traces for which is_recording() is true.
void add_broken_laws(const TraceAsRead& read, std::vector<HealthRow>& health);

// Adds a row for each column with values outside its domain. Some values are wrong only in traces
// of the collector (ColumnInfo::is_of_collector). They are skipped if `is_of_collector` is false.
void add_impossible_values(const std::vector<schema::Database::Impossible>& values,
                           bool is_of_collector, std::vector<HealthRow>& health);

// The laws. Each function returns the number of rows, records or calls that break the law.
namespace laws {

// Defined in recording_laws.cpp.
std::int64_t facts(const TraceAsRead& read);
std::int64_t counted(const TraceAsRead& read);
std::int64_t received(const TraceAsRead& read);
std::int64_t names_once(const TraceAsRead& read);
std::int64_t null_streams(const TraceAsRead& read);
std::int64_t gpus_listed(const TraceAsRead& read);
std::int64_t links(const TraceAsRead& read);
std::int64_t known_threads(const TraceAsRead& read);

// Defined in call_laws.cpp.
std::int64_t one_function(const TraceAsRead& read);
std::int64_t ids_of_calls(const TraceAsRead& read);
std::int64_t calls_return(const TraceAsRead& read);
std::int64_t waits_end(const TraceAsRead& read);
std::int64_t kinds_of_waits(const TraceAsRead& read);
std::int64_t events_recorded(const TraceAsRead& read);
std::int64_t overheads_nest(const TraceAsRead& read);

// Defined in op_laws.cpp.
std::int64_t known_streams(const TraceAsRead& read);
std::int64_t one_kernel_a_launch(const TraceAsRead& read);
std::int64_t issued_so(const TraceAsRead& read);
std::int64_t all_issued(const TraceAsRead& read);
std::int64_t in_order(const TraceAsRead& read);
std::int64_t all_finished(const TraceAsRead& read);
std::int64_t directions(const TraceAsRead& read);
std::int64_t channels(const TraceAsRead& read);
std::int64_t graphs(const TraceAsRead& read);

}  // namespace laws
}  // namespace lapscope::analyzer
