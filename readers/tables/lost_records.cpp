#include <array>
#include <limits>
#include <map>
#include <string>
#include <string_view>

#include "collector/schema/tables.h"
#include "readers/tables/reading_health.h"
#include "readers/tables/scan.h"

namespace lapscope::analyzer {
namespace {

using schema::Database;
using schema::RecordsRow;

// The number of rows for the records of one or two kinds. Each record of these kinds has exactly
// one row. Records of other kinds cannot be compared with rows.
struct Counted {
  std::array<std::string_view, 2> kinds;  // the second may be empty
  std::int64_t rows = 0;
};

// Returns the number of callbacks that led to the rows of nodes and edges. Each row comes from one
// callback, but the row of a cloned node comes from two: creation and cloning.
std::int64_t graph_callbacks(Database& database) {
  const std::int64_t rows =
      row_count<schema::GraphNodeRow>(database) + row_count<schema::GraphEdgeRow>(database);
  if (!has_table<schema::GraphNodeRow>(database)) return rows;
  return rows + database
                    .query_int64("SELECT count(originalGraphNodeId) FROM " +
                                 schema::table_name<schema::GraphNodeRow>())
                    .value_or(0);
}

std::vector<Counted> counted_kinds(Database& database, const LargeTables& tables,
                                   bool is_nothing_captured) {
  const auto& [host, ops] = tables;
  const std::int64_t markers =
      is_nothing_captured ? std::numeric_limits<std::int64_t>::max() : host.markers;
  return {{{"CONCURRENT_KERNEL"}, ops.all.kernels},
          {{"MEMCPY", "MEMCPY2"}, ops.all.copies},
          {{"MEMSET"}, ops.all.memsets},
          {{"DRIVER", "RUNTIME"}, host.calls.rows},
          {{"SYNCHRONIZATION"}, host.synchronization.synchronization_rows},
          {{"CUDA_EVENT"}, host.synchronization.event_rows},
          {{"MARKER"}, markers},
          {{"OVERHEAD"}, row_count<schema::OverheadRow>(database)},
          {{"MEMORY2"}, row_count<schema::MemoryRow>(database)},
          {{"MEMORY_POOL"}, row_count<schema::MemoryPoolRow>(database)},
          {{"GRAPH_TRACE"}, row_count<schema::GraphTraceRow>(database)},
          {{"LAUNCH_ATTRIBUTES"}, row_count<schema::LaunchAttributesRow>(database)},
          {{"STREAM_MEM_OPS"}, row_count<schema::StreamMemoryOpRow>(database)},
          {{"CONTEXT"}, row_count<schema::ContextRow>(database)},
          {{"STREAM"}, row_count<schema::StreamRow>(database)},
          {{"DEVICE"}, row_count<schema::GpuRow>(database)},
          {{"HOST_FUNCS"}, row_count<schema::HostFuncRow>(database)},
          {{"GRAPH_LAUNCHES"}, row_count<schema::GraphLaunchRow>(database)},
          {{"GRAPH_NODES"}, graph_callbacks(database)}};
}

// Returns a + b. Returns the largest std::int64_t if a count is negative or the sum overflows.
std::int64_t sum_of_counts(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  const bool is_possible = a >= 0 && b >= 0 && !__builtin_add_overflow(a, b, &sum);
  return is_possible ? sum : std::numeric_limits<std::int64_t>::max();
}

std::map<std::string, std::int64_t, std::less<>> received_by_kind(Database& database) {
  std::map<std::string, std::int64_t, std::less<>> received;
  using Columns = schema::Selection<COLUMNS(RecordsRow, name, received)>;
  for_each_row<Columns>(database, [&received](const RecordsRow& row) {
    std::int64_t& count = received[row.name];
    count = sum_of_counts(count, row.received);
  });
  return received;
}

}  // namespace

bool add_lost_records(Database& database, const LargeTables& tables, bool is_nothing_captured,
                      Trace& trace) {
  const auto received = received_by_kind(database);
  bool vouch = received.count("MEMCPY") > 0 && received.count("MEMSET") > 0;
  for (const Counted& counted : counted_kinds(database, tables, is_nothing_captured)) {
    std::int64_t came = 0;
    Details kinds;
    for (const std::string_view kind : counted.kinds) {
      const auto known = received.find(kind);
      if (kind.empty() || known == received.end()) continue;
      came = sum_of_counts(came, known->second);
      if (known->second > 0) kinds.emplace_back(std::string(kind));
    }
    if (came <= counted.rows) continue;
    for (const std::string_view kind : counted.kinds) {
      std::erase(trace.facts.recorded, kind);
      vouch &= !(kind == "MEMCPY" || kind == "MEMSET");
    }
    kinds.insert(kinds.begin(), came);
    trace.health.push_back({HealthKind::lost_records, came - counted.rows, std::move(kinds)});
  }
  return vouch;
}

}  // namespace lapscope::analyzer
