#pragma once

#include <tuple>

#include "collector/schema/tables/callbacks.h"
#include "collector/schema/tables/callchains.h"
#include "collector/schema/tables/capture.h"
#include "collector/schema/tables/host.h"
#include "collector/schema/tables/host_samples.h"
#include "collector/schema/tables/links.h"
#include "collector/schema/tables/memory.h"
#include "collector/schema/tables/ops.h"
#include "collector/schema/tables/target.h"

namespace lapscope::schema {

// Every table of the format. A table is added by declaring it and naming it here.
using AllRows =
    std::tuple<KernelRow, MemcpyRow, MemsetRow, GraphTraceRow, ApiCallRow, SynchronizationRow,
               CudaEventRow, OverheadRow, CompilationRow, MemoryRow, MemoryPoolRow, CpuPageFaultRow,
               GpuPageFaultRow, NvtxRow, ExternalCorrelationRow, HostFuncRow, GraphLaunchRow,
               StreamMemoryOpRow, LaunchAttributesRow, GraphNodeRow, GraphEdgeRow, CallchainRow,
               ModuleRow, StackCountsRow, StringRow, ThreadNameRow, ProcessRow, GpuRow,
               CudaDeviceRow, LinkRow, ContextRow, StreamRow, SessionStartRow, MetaDataRow,
               CaptureRow, EnvironmentRow, RecordsRow, StretchRow, LossRow, RunRow, CallCostRow,
               ClockRow, CpuTimeRow, HostSampleRow, HostSampleCountsRow>;

// PRAGMA application_id of a trace: "LAPS".
inline constexpr std::int64_t application_id = 0x4C415053;

// PRAGMA user_version. Raised when a reader of the previous version would misread the file; new
// tables and columns do not raise it.
inline constexpr std::int64_t format_version = 1;

// The Nsight Systems export whose tables and codings are followed (META_DATA_EXPORT).
inline constexpr std::string_view nsys_schema_version = "3.24.14";

}  // namespace lapscope::schema
