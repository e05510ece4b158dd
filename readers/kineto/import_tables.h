#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "collector/schema/tables.h"
#include "collector/trace/kernel_name.h"
#include "collector/trace/part_rows.h"
#include "collector/trace/trace_writer.h"
#include "readers/tables/row_limit.h"

namespace lapscope::kineto {

// The tables that receive the events of a profile by PyTorch or XProf. They have the columns that
// one of these profilers has values for. The last columns of a table may be left out in add().
class ImportTables {
  using ApiCallRow = schema::ApiCallRow;
  using CudaEventRow = schema::CudaEventRow;
  using GraphTraceRow = schema::GraphTraceRow;
  using KernelRow = schema::KernelRow;
  using MemcpyRow = schema::MemcpyRow;
  using MemsetRow = schema::MemsetRow;
  using NvtxRow = schema::NvtxRow;
  using OverheadRow = schema::OverheadRow;
  using SynchronizationRow = schema::SynchronizationRow;
  template <class Row, auto... Members>
  using PartRows = trace::PartRows<Row, Members...>;

 public:
  struct KernelName {
    std::int64_t full = 0;
    std::int64_t brief = 0;
  };

  explicit ImportTables(trace::TraceWriter& to) : writer(to) {}

  void finish() {
    std::apply([](auto&... rows) { (rows.finish(), ...); },
               std::tie(kernels, copies, memsets, graphs, calls, ranges, overheads, syncs, events));
  }

  // `labels`: texts that are not in the trace.
  analyzer::RowCounts counts(std::int64_t labels = 0) const {
    return {kernels.rows() + copies.rows() + memsets.rows() + graphs.rows(),
            calls.rows(),
            ranges.rows(),
            static_cast<std::int64_t>(writer.texts()) + labels,
            overheads.rows() + syncs.rows() + events.rows(),
            static_cast<std::int64_t>(writer.text_bytes())};
  }

  const KernelName& kernel_name(std::string_view name) {
    const auto [known, is_new] = kernel_names_.try_emplace(std::string(name));
    if (is_new) {
      known->second = {writer.intern(name), writer.intern(trace::short_name(known->first))};
    }
    return known->second;
  }

  // Writes the names of NVTX domains. Call this function after finish().
  void name_domains(std::initializer_list<std::pair<std::int64_t, std::string_view>> domains) {
    constexpr std::int64_t domain_create = 75;  // ENUM_NSYS_EVENT_TYPE
    for (const auto& [domain, name] : domains) {
      // Lists the columns explicitly, because the table has only the columns of `ranges`.
      schema::Statement row(writer.database(),
                            "INSERT INTO " + std::string(schema::describe<NvtxRow>.name) +
                                " (start, eventType, textId, domainId) VALUES (0, ?1, ?2, ?3)");
      row.bind(1, domain_create);
      row.bind(2, writer.intern(name));
      row.bind(3, domain);
      row.execute();
    }
  }

  trace::TraceWriter& writer;
  PartRows<KernelRow, &KernelRow::start, &KernelRow::end, &KernelRow::deviceId,
           &KernelRow::contextId, &KernelRow::streamId, &KernelRow::correlationId,
           &KernelRow::globalPid, &KernelRow::demangledName, &KernelRow::shortName,
           &KernelRow::registersPerThread, &KernelRow::gridX, &KernelRow::gridY, &KernelRow::gridZ,
           &KernelRow::blockX, &KernelRow::blockY, &KernelRow::blockZ,
           &KernelRow::staticSharedMemory, &KernelRow::dynamicSharedMemory, &KernelRow::graphNodeId,
           &KernelRow::graphId, &KernelRow::channelId, &KernelRow::channelType>
      kernels{writer};
  PartRows<MemcpyRow, &MemcpyRow::start, &MemcpyRow::end, &MemcpyRow::deviceId,
           &MemcpyRow::contextId, &MemcpyRow::streamId, &MemcpyRow::correlationId,
           &MemcpyRow::globalPid, &MemcpyRow::bytes, &MemcpyRow::copyKind, &MemcpyRow::srcKind,
           &MemcpyRow::dstKind, &MemcpyRow::srcDeviceId, &MemcpyRow::dstDeviceId,
           &MemcpyRow::graphNodeId, &MemcpyRow::graphId, &MemcpyRow::channelId,
           &MemcpyRow::channelType>
      copies{writer};
  PartRows<MemsetRow, &MemsetRow::start, &MemsetRow::end, &MemsetRow::deviceId,
           &MemsetRow::contextId, &MemsetRow::streamId, &MemsetRow::correlationId,
           &MemsetRow::globalPid, &MemsetRow::bytes, &MemsetRow::memKind, &MemsetRow::graphNodeId,
           &MemsetRow::graphId, &MemsetRow::channelId, &MemsetRow::channelType>
      memsets{writer};
  PartRows<GraphTraceRow, &GraphTraceRow::start, &GraphTraceRow::end, &GraphTraceRow::deviceId,
           &GraphTraceRow::contextId, &GraphTraceRow::streamId, &GraphTraceRow::correlationId,
           &GraphTraceRow::globalPid, &GraphTraceRow::graphId, &GraphTraceRow::graphExecId>
      graphs{writer};
  PartRows<ApiCallRow, &ApiCallRow::start, &ApiCallRow::end, &ApiCallRow::eventClass,
           &ApiCallRow::globalTid, &ApiCallRow::correlationId, &ApiCallRow::nameId,
           &ApiCallRow::cbid, &ApiCallRow::callchainId>
      calls{writer};
  PartRows<NvtxRow, &NvtxRow::start, &NvtxRow::end, &NvtxRow::eventType, &NvtxRow::globalTid,
           &NvtxRow::textId, &NvtxRow::domainId, &NvtxRow::sequence, &NvtxRow::isBackward>
      ranges{writer};
  PartRows<OverheadRow, &OverheadRow::start, &OverheadRow::end, &OverheadRow::eventClass,
           &OverheadRow::globalTid, &OverheadRow::nameId, &OverheadRow::overheadType>
      overheads{writer};
  PartRows<SynchronizationRow, &SynchronizationRow::start, &SynchronizationRow::end,
           &SynchronizationRow::deviceId, &SynchronizationRow::contextId,
           &SynchronizationRow::streamId, &SynchronizationRow::correlationId,
           &SynchronizationRow::globalPid, &SynchronizationRow::syncType,
           &SynchronizationRow::eventId, &SynchronizationRow::eventSyncId>
      syncs{writer};
  PartRows<CudaEventRow, &CudaEventRow::deviceId, &CudaEventRow::contextId, &CudaEventRow::streamId,
           &CudaEventRow::correlationId, &CudaEventRow::globalPid, &CudaEventRow::eventId,
           &CudaEventRow::eventSyncId>
      events{writer};

 private:
  std::unordered_map<std::string, KernelName> kernel_names_;
};

}  // namespace lapscope::kineto
