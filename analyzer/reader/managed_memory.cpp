#include <algorithm>
#include <string>

#include "analyzer/reader/reading_health.h"
#include "analyzer/reader/scan.h"
#include "collector/schema/tables.h"

namespace lapscope::analyzer {
namespace {

std::int64_t page_faults(schema::Database& database) {
  std::int64_t rows = 0;
  for (const char* table : {"CUDA_UM_CPU_PAGE_FAULT_EVENTS", "CUDA_UM_GPU_PAGE_FAULT_EVENTS"}) {
    if (!database.has_table(table)) continue;
    rows += database.query_int64("SELECT count(*) FROM " + std::string(table)).value_or(0);
  }
  return rows;
}

// As records of memory tell, variables that are __managed__ among them; else by the calls.
std::int64_t managed_allocations(schema::Database& database, const Trace& trace) {
  using schema::MemoryRow;
  using Columns =
      schema::TolerantSelection<MemoryRow, &MemoryRow::memKind, &MemoryRow::memoryOperationType>;
  constexpr std::int64_t managed = 4;  // ENUM_CUDA_MEM_KIND
  constexpr std::int64_t managed_variable = 6;
  constexpr std::int64_t allocation = 0;  // ENUM_CUDA_DEV_MEM_EVENT_OPER
  std::int64_t allocations = 0;
  for_each_row<Columns, MemoryRow>(
      database, nullptr, [&](std::optional<std::int64_t> kind, std::optional<std::int64_t> oper) {
        const bool is_managed = kind == managed || kind == managed_variable;
        allocations += is_managed && oper == allocation;
      });
  if (allocations > 0) return allocations;
  const Calls& calls = trace.calls;
  for (std::uint32_t call = 0; call < calls.size(); ++call) {
    if (calls.kind[call] != CallKind::allocate) continue;
    const std::string& name = trace.names.text(calls.name[call]);
    allocations += name.starts_with("cudaMallocManaged") || name.starts_with("cuMemAllocManaged");
  }
  return allocations;
}

}  // namespace

void add_managed_memory(schema::Database& database, TraceFormat format, Trace& trace) {
  const auto migrations = static_cast<std::int64_t>(trace.migrations.size());
  const std::int64_t seen = migrations + page_faults(database);
  if (seen > 0) {
    trace.health.push_back({"managed-migrations", Severity::info, seen,
                            "The trace has " + std::to_string(seen) +
                                " migrations or page faults of managed memory. They are no ops of "
                                "a stream, and in no figure: their cost is in the kernels that "
                                "waited for them.",
                            "Where kernels take long for them, move the data before the launch "
                            "(cudaMemPrefetchAsync), or keep it in memory of cudaMalloc."});
    return;
  }
  const auto& recorded = trace.facts.recorded;
  const bool is_recorded =
      std::find(recorded.begin(), recorded.end(), "UNIFIED_MEMORY_COUNTER") != recorded.end();
  const std::int64_t allocations = is_recorded ? 0 : managed_allocations(database, trace);
  if (allocations == 0) return;
  trace.health.push_back(
      {"managed-memory", Severity::warning, allocations,
       "The program has managed memory (allocations: " + std::to_string(allocations) +
           "), and the trace has none of its migrations and page faults: kernels that wait for "
           "pages are taken for long kernels.",
       format == TraceFormat::nsys
           ? "Profile with --cuda-um-cpu-page-faults=true --cuda-um-gpu-page-faults=true, or with "
             "`lapscope record --unified-memory`."
           : "Record with `lapscope record --unified-memory`."});
}

}  // namespace lapscope::analyzer
