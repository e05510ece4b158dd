#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyzer/model/health.h"
#include "analyzer/model/trace.h"
#include "collector/schema/sqlite.h"
#include "readers/tables/holes.h"
#include "readers/tables/read_host.h"
#include "readers/tables/read_ops.h"

namespace lapscope::analyzer {

// The large tables as they were read, calls and ops. What is taken out of them leaves the counts.
struct LargeTables {
  ReadHost host;
  ReadOps ops;
};

// What was wrong with single rows, as showed after they had been read.
struct ReadingDefects {
  std::int64_t unissued_ops = 0;
  Holes holes;
  bool counts_vouch_for_transfers = false;  // add_lost_records
  std::int64_t ambiguous_calls = 0;
  std::vector<std::int64_t> unknown_devices;  // with ops, and in no list of GPUs
  bool gpus_are_listed = false;
};

// Adds a row for each defect, these and those of the tables.
void add_reading_health(const LargeTables& tables, const ReadingDefects& defects, Trace& trace);

// Adds a row where kernels or calls have names that StringIds lacks.
void add_missing_names(schema::Database& database, Trace& trace);

// Reads page faults on managed memory. Adds a row if it moved, or if the program has such memory
// and it was not recorded what moves.
void add_managed_memory(schema::Database& database, Trace& trace);

// Adds a row when graphs were recorded as a whole, one row a launch: what is inside is nowhere
// then. Returns whether it did.
bool add_untraced_graphs(schema::Database& database, HealthKind kind,
                         std::vector<HealthRow>& health);

// Adds a row for each absent table without which something cannot be known. Not for formats with
// Capabilities::empty_tables.
void add_missing_tables(schema::Database& database, Trace& trace);

// What NVIDIA's release notes say is wrong with the records of this CUPTI (cuptiGetVersion: 18 to
// 28 for CUDA 12, 130001 for 13.0 update 1), as far as it concerns a trace. The one release that
// is not used at all, 130000, is refused while recording.
void add_known_defects(std::int64_t cupti_version, std::vector<HealthRow>& health);

// Adds a row for each kind of records if lapscope received more of them than the trace holds, and
// takes it from TraceFacts::recorded. For formats with Capabilities::lost_records. Returns whether
// the counts vouch for copies and memsets: all that came are there. Markers that came while nothing
// was captured were left out on purpose.
bool add_lost_records(schema::Database& database, const LargeTables& tables,
                      bool is_nothing_captured, Trace& trace);

}  // namespace lapscope::analyzer
