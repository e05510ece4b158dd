#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyzer/model/trace.h"
#include "collector/schema/sqlite.h"

namespace lapscope::analyzer {

// What was wrong with single rows while a trace was read.
struct ReadingDefects {
  std::int64_t invalid_ops = 0;
  std::int64_t unfinished_ops = 0;
  std::int64_t unissued_ops = 0;
  std::int64_t orphan_launches = 0;
  std::int64_t migrations = 0;                 // and page faults, of managed memory
  std::int64_t unplaced_synchronizations = 0;  // and event records, whose call is not in the trace
  std::int64_t ambiguous_calls = 0;
  std::int64_t invalid_host_times = 0;
  std::vector<std::int64_t> unknown_devices;  // with ops, and in no list of GPUs
  bool gpus_are_listed = false;
};

// Rows about page faults of managed memory, which exports of Nsight Systems may have.
std::int64_t page_faults(schema::Database& database);

// Adds a row for each defect.
void add_reading_health(Trace& trace, const ReadingDefects& defects);

// Adds a row when graphs were recorded as a whole, one row a launch: what is inside is nowhere
// then.
void add_untraced_graphs(schema::Database& database, const std::string& remedy,
                         std::vector<HealthRow>& health);

// What exports of Nsight Systems lack.
void add_export_health(schema::Database& database, std::vector<HealthRow>& health);

// Adds a row for each absent table without which something cannot be told. For exports: in a trace
// of lapscope a table is absent when it would be empty.
void add_missing_tables(schema::Database& database, Trace& trace);

}  // namespace lapscope::analyzer
