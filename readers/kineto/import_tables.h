#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "collector/schema/enumeration.h"
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

  // Returns the numbers of rows so far. `labels` is the number of texts that are held in memory
  // only. They count as texts, too.
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
    for (const auto& [domain, name] : domains) {
      // Lists the columns explicitly, because the table has only the columns of `ranges`.
      schema::Statement row(writer.database(),
                            "INSERT INTO " + schema::table_name<NvtxRow>() +
                                " (start, eventType, textId, domainId) VALUES (0, ?1, ?2, ?3)");
      row.bind(1, schema::codes::nvtx_domain);
      row.bind(2, writer.intern(name));
      row.bind(3, domain);
      row.execute();
    }
  }

  trace::TraceWriter& writer;
  PartRows<COLUMNS(KernelRow, start, end, deviceId, contextId, streamId, correlationId, globalPid,
                   demangledName, shortName, registersPerThread, gridX, gridY, gridZ, blockX,
                   blockY, blockZ, staticSharedMemory, dynamicSharedMemory, graphNodeId, graphId,
                   channelId, channelType)>
      kernels{writer};
  PartRows<COLUMNS(MemcpyRow, start, end, deviceId, contextId, streamId, correlationId, globalPid,
                   bytes, copyKind, srcKind, dstKind, srcDeviceId, dstDeviceId, graphNodeId,
                   graphId, channelId, channelType)>
      copies{writer};
  PartRows<COLUMNS(MemsetRow, start, end, deviceId, contextId, streamId, correlationId, globalPid,
                   bytes, memKind, graphNodeId, graphId, channelId, channelType)>
      memsets{writer};
  PartRows<COLUMNS(GraphTraceRow, start, end, deviceId, contextId, streamId, correlationId,
                   globalPid, graphId, graphExecId)>
      graphs{writer};
  PartRows<COLUMNS(ApiCallRow, start, end, eventClass, globalTid, correlationId, nameId, cbid,
                   callchainId)>
      calls{writer};
  PartRows<COLUMNS(NvtxRow, start, end, eventType, globalTid, textId, domainId, sequence,
                   isBackward)>
      ranges{writer};
  PartRows<COLUMNS(OverheadRow, start, end, eventClass, globalTid, nameId, overheadType)> overheads{
      writer};
  PartRows<COLUMNS(SynchronizationRow, start, end, deviceId, contextId, streamId, correlationId,
                   globalPid, syncType, eventId, eventSyncId)>
      syncs{writer};
  PartRows<COLUMNS(CudaEventRow, deviceId, contextId, streamId, correlationId, globalPid, eventId,
                   eventSyncId)>
      events{writer};

 private:
  std::unordered_map<std::string, KernelName> kernel_names_;
};

}  // namespace lapscope::kineto
