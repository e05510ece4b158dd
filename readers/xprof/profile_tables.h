#pragma once

#include <tuple>

#include "collector/schema/tables.h"
#include "collector/trace/part_rows.h"
#include "collector/trace/trace_writer.h"

namespace lapscope::xprof {

// The tables that receive the events of a profile, with the columns that XProf has values for.
struct ProfileTables {
  using ApiCallRow = schema::ApiCallRow;
  using GraphTraceRow = schema::GraphTraceRow;
  using KernelRow = schema::KernelRow;
  using MemcpyRow = schema::MemcpyRow;
  using MemsetRow = schema::MemsetRow;
  using NvtxRow = schema::NvtxRow;
  using OverheadRow = schema::OverheadRow;
  template <class Row, auto... Members>
  using PartRows = trace::PartRows<Row, Members...>;

  explicit ProfileTables(trace::TraceWriter& to) : writer(to) {}
  void finish() {
    std::apply([](auto&... rows) { (rows.finish(), ...); },
               std::tie(kernels, copies, memsets, graphs, calls, ranges, overheads));
  }

  trace::TraceWriter& writer;
  PartRows<KernelRow, &KernelRow::start, &KernelRow::end, &KernelRow::deviceId,
           &KernelRow::contextId, &KernelRow::streamId, &KernelRow::correlationId,
           &KernelRow::globalPid, &KernelRow::demangledName, &KernelRow::shortName,
           &KernelRow::registersPerThread, &KernelRow::gridX, &KernelRow::gridY, &KernelRow::gridZ,
           &KernelRow::blockX, &KernelRow::blockY, &KernelRow::blockZ,
           &KernelRow::staticSharedMemory, &KernelRow::dynamicSharedMemory, &KernelRow::graphNodeId,
           &KernelRow::graphId>
      kernels{writer};
  PartRows<MemcpyRow, &MemcpyRow::start, &MemcpyRow::end, &MemcpyRow::deviceId,
           &MemcpyRow::contextId, &MemcpyRow::streamId, &MemcpyRow::correlationId,
           &MemcpyRow::globalPid, &MemcpyRow::bytes, &MemcpyRow::copyKind, &MemcpyRow::srcKind,
           &MemcpyRow::dstKind, &MemcpyRow::srcDeviceId, &MemcpyRow::dstDeviceId,
           &MemcpyRow::graphNodeId, &MemcpyRow::graphId>
      copies{writer};
  PartRows<MemsetRow, &MemsetRow::start, &MemsetRow::end, &MemsetRow::deviceId,
           &MemsetRow::contextId, &MemsetRow::streamId, &MemsetRow::correlationId,
           &MemsetRow::globalPid, &MemsetRow::bytes, &MemsetRow::memKind, &MemsetRow::graphNodeId,
           &MemsetRow::graphId>
      memsets{writer};
  PartRows<GraphTraceRow, &GraphTraceRow::start, &GraphTraceRow::end, &GraphTraceRow::deviceId,
           &GraphTraceRow::contextId, &GraphTraceRow::streamId, &GraphTraceRow::correlationId,
           &GraphTraceRow::globalPid, &GraphTraceRow::graphId, &GraphTraceRow::graphExecId>
      graphs{writer};
  PartRows<ApiCallRow, &ApiCallRow::start, &ApiCallRow::end, &ApiCallRow::eventClass,
           &ApiCallRow::globalTid, &ApiCallRow::correlationId, &ApiCallRow::nameId,
           &ApiCallRow::callchainId>
      calls{writer};
  PartRows<NvtxRow, &NvtxRow::start, &NvtxRow::end, &NvtxRow::eventType, &NvtxRow::globalTid,
           &NvtxRow::textId, &NvtxRow::domainId>
      ranges{writer};
  PartRows<OverheadRow, &OverheadRow::start, &OverheadRow::end, &OverheadRow::eventClass,
           &OverheadRow::globalTid, &OverheadRow::nameId, &OverheadRow::overheadType>
      overheads{writer};
};

}  // namespace lapscope::xprof
