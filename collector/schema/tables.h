#pragma once

#include <span>
#include <tuple>

#include "collector/schema/tables/callback_rows.h"
#include "collector/schema/tables/callchain_rows.h"
#include "collector/schema/tables/capture_rows.h"
#include "collector/schema/tables/host_rows.h"
#include "collector/schema/tables/host_sample_rows.h"
#include "collector/schema/tables/link_rows.h"
#include "collector/schema/tables/memory_rows.h"
#include "collector/schema/tables/op_rows.h"
#include "collector/schema/tables/target_rows.h"

namespace lapscope::schema {

// Every table of the format. To add a table, declare it and name it here.
using AllRows =
    std::tuple<KernelRow, MemcpyRow, MemsetRow, GraphTraceRow, ApiCallRow, SynchronizationRow,
               CudaEventRow, OverheadRow, CompilationRow, MemoryRow, MemoryPoolRow, CpuPageFaultRow,
               GpuPageFaultRow, NvtxRow, HostFuncRow, GraphLaunchRow, StreamMemoryOpRow,
               LaunchAttributesRow, GraphNodeRow, GraphEdgeRow, CallchainRow, ModuleRow,
               StackCountsRow, StringRow, ThreadNameRow, ProcessRow, GpuRow, CudaDeviceRow, LinkRow,
               ContextRow, StreamRow, SessionStartRow, MetaDataRow, CaptureRow, EnvironmentRow,
               RecordsRow, StretchRow, LossRow, RunRow, UnrecordedIterationRow, CallCostRow,
               ClockRow, CpuTimeRow, HostSampleRow, CollectionsRow, HostSampleCountsRow>;

// Returns the declarations of all tables, in the order of AllRows.
std::span<const TableInfo> all_tables();

// Returns the index of a table in all_tables(). Throws std::out_of_range if there is no such table.
std::size_t index_of(std::string_view table);

template <class Row>
std::size_t index_of() {
  static const std::size_t index = index_of(describe<Row>.name);
  return index;
}

// PRAGMA application_id of a trace: "LAPS".
inline constexpr std::int64_t application_id = 0x4C415053;

// PRAGMA user_version of a trace. It is raised if a reader of the previous version would misread
// new files. New tables and columns are no reason to raise it.
inline constexpr std::int64_t format_version = 1;

// A schema version of Nsight Systems' exports. A trace uses the tables and codes of this version,
// and names the version in META_DATA_EXPORT.
inline constexpr std::string_view nsys_schema_version = "3.24.14";

}  // namespace lapscope::schema
