#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "analyzer/model/health.h"
#include "analyzer/model/trace.h"
#include "collector/schema/sqlite.h"
#include "readers/tables/holes.h"
#include "readers/tables/read_host.h"
#include "readers/tables/read_ops.h"

namespace lapscope::analyzer {

// The large tables: calls and ops. Their counts remain valid after the rows are moved out.
struct LargeTables {
  ReadHost host;
  ReadOps ops;
};

// Defects of single rows, found after reading.
struct ReadingDefects {
  std::int64_t unissued_ops = 0;
  Holes holes;
  bool counts_vouch_for_transfers = false;  // result of add_lost_records()
  std::int64_t ambiguous_calls = 0;
  std::vector<std::int64_t> unknown_devices;  // devices that have ops but are in no list of GPUs
  bool gpus_are_listed = false;
  // The device numbers that stand for different GPUs in different processes. The value is how many
  // GPUs these are.
  std::map<std::int64_t, std::int64_t> shared_numbers;
};

// Adds a health row for each defect in `defects`, and for each defect that `tables` counts.
void add_reading_health(const LargeTables& tables, const ReadingDefects& defects, Trace& trace);

// Adds a row if StringIds lacks names of kernels or calls.
void add_missing_names(schema::Database& database, Trace& trace);

// Reads page faults on managed memory. Adds a row if managed memory migrated. Also adds a row if
// the program allocated managed memory and migrations were not recorded.
void add_managed_memory(schema::Database& database, Trace& trace);

// Adds a row if graphs were recorded as a whole, with one record per launch. The trace then lacks
// the ops inside the graphs. Returns whether it added the row.
bool add_untraced_graphs(schema::Database& database, HealthKind kind,
                         std::vector<HealthRow>& health);

// Adds a row for each absent table that the analysis needs. Must not be called for formats with
// Capabilities::empty_tables.
void add_missing_tables(schema::Database& database, Trace& trace);

// Adds a row for each known defect of this CUPTI version that affects a trace. NVIDIA's release
// notes list the defects. `cupti_version` is the result of cuptiGetVersion(): 18 to 28 for CUDA 12,
// 130001 for 13.0 update 1. The collector refuses to record with version 130000.
void add_known_defects(std::int64_t cupti_version, std::vector<HealthRow>& health);

// For each kind of record, compares the number that lapscope received with the number in the trace.
// If records of a kind are missing, adds a row and removes the kind from TraceFacts::recorded.
// Returns whether all received copies and memsets are in the trace. If nothing was captured
// (`is_nothing_captured`), markers were left out on purpose and are not compared. Call this
// function only for formats with Capabilities::lost_records.
bool add_lost_records(schema::Database& database, const LargeTables& tables,
                      bool is_nothing_captured, Trace& trace);

// Adds a row to the front of Trace::health for each group of failed calls. There are three groups:
// launches; copies and memsets; waits. If a launch or copy failed, the program's work is missing.
// If a wait failed, a kernel has failed. A failed call and the failed calls inside it are counted
// as one failed call. If more than assumed::hardly_any of the launches or copies failed, the row
// has a special kind, because the run did not do its intended work.
//
// Does nothing for traces without the calls' results.
void add_failed_calls(schema::Database& database, Trace& trace);

}  // namespace lapscope::analyzer
