#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "collector/schema/enumeration.h"
#include "collector/schema/tables.h"
#include "collector/trace/kernel_name.h"
#include "collector/trace/trace_writer.h"
#include "readers/tables/row_limit.h"

namespace lapscope::kineto {

// Writes rows of which only some columns are known. The known columns must be integers. The table
// in the file gets only the known columns. Readers treat an absent column as unknown. Single cells
// may be unknown, too.
template <class Row, auto... Members>
class PartRows {
 public:
  using Values = std::array<std::optional<std::int64_t>, sizeof...(Members)>;

  explicit PartRows(trace::TraceWriter& writer) : writer_(writer) {}

  // Adds a row. The row may be inserted later, at the latest in finish().
  void add(const Values& values) {
    ++rows_;
    waiting_.add(values);
    if (!waiting_.is_full()) return;
    if (!many_) many_.emplace(writer_.prepare(table(), trace::RowBatch::capacity));
    waiting_.insert_all(*many_);
  }

  std::int64_t rows() const { return rows_; }

  // Inserts the waiting rows and releases the prepared statement. No row may follow.
  void finish() {
    if (!waiting_.is_empty()) {
      schema::Statement one = writer_.prepare(table(), 1);
      waiting_.insert_each(one);
    }
    many_.reset();
  }

 private:
  static schema::TableInfo table() {
    static const auto columns = [] {
      std::array all = {info_of(Members)...};
      for (std::size_t i = 0; i < all.size(); ++i) {
        all[i].nullable = true;
        all[i].offset = i * sizeof(typename Values::value_type);
      }
      return all;
    }();
    return {schema::describe<Row>.name, schema::describe<Row>.meaning, columns};
  }

  template <class T>
  static schema::ColumnInfo info_of(T Row::*member) {
    static_assert(schema::column_type<T>() == schema::ColumnType::integer);
    return schema::column_of<Row>(member);
  }

  trace::TraceWriter& writer_;
  trace::BatchOf<Values> waiting_{table()};
  std::int64_t rows_ = 0;
  std::optional<schema::Statement> many_;
};

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
  using PartRows = PartRows<Row, Members...>;

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
