#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "collector/schema/capture_facts.h"
#include "collector/schema/tables.h"
#include "readers/laws/check_laws.h"
#include "readers/tables/provenance.h"
#include "readers/tables/scan.h"

namespace lapscope::analyzer::laws {
namespace {

using schema::Selection;

std::map<std::string, std::int64_t, std::less<>> received_by_kind(schema::Database& database) {
  using schema::RecordsRow;
  // The limit for counts. No file has that many rows, and sums of smaller counts do not overflow.
  static constexpr std::int64_t most = std::int64_t{1} << 60;
  std::map<std::string, std::int64_t, std::less<>> received;
  for_each_row<Selection<COLUMNS(RecordsRow, name, received)>>(
      database, [&received](const RecordsRow& row) {
        received[row.name] = std::clamp<std::int64_t>(row.received, 0, most);
      });
  return received;
}

}  // namespace

std::int64_t facts(const TraceAsRead& read) {
  using namespace schema::fact;
  const Capture capture = read_capture(read.database);
  std::int64_t missing = 0;
  for (const std::string_view fact : {tool_version, created, command, pid, host, cupti_version,
                                      cupti_library, recording, session}) {
    missing += capture.count(fact) == 0;
  }
  return missing;
}

// Checks the kinds of records that every release of the collector requests from CUPTI.
std::int64_t counted(const TraceAsRead& read) {
  const auto received = received_by_kind(read.database);
  std::int64_t missing = 0;
  for (const std::string_view kind :
       {"CONCURRENT_KERNEL", "MEMCPY", "MEMSET", "RUNTIME", "DRIVER", "SYNCHRONIZATION",
        "CUDA_EVENT", "OVERHEAD", "MARKER", "CONTEXT", "STREAM", "DEVICE"}) {
    missing += received.count(kind) == 0;
  }
  return missing;
}

std::int64_t received(const TraceAsRead& read) {
  const auto received = received_by_kind(read.database);
  const auto came = [&received](std::string_view kind) {
    const auto found = received.find(kind);
    return found == received.end() ? std::int64_t{0} : found->second;
  };
  const auto& [host, ops] = read.tables;
  std::int64_t more = 0;
  const auto count = [&more](std::int64_t rows, std::int64_t most) {
    more += std::max<std::int64_t>(rows - most, 0);
  };
  count(ops.all.kernels, came("CONCURRENT_KERNEL"));
  count(ops.all.copies, came("MEMCPY") + came("MEMCPY2") + came("UNIFIED_MEMORY_COUNTER"));
  count(ops.all.memsets, came("MEMSET"));
  count(host.calls.rows, came("RUNTIME") + came("DRIVER"));
  count(host.synchronization.synchronization_rows, came("SYNCHRONIZATION"));
  count(host.synchronization.event_rows, came("CUDA_EVENT"));
  count(row_count<schema::OverheadRow>(read.database), came("OVERHEAD"));
  count(row_count<schema::GraphLaunchRow>(read.database), came("GRAPH_LAUNCHES"));
  count(row_count<schema::HostFuncRow>(read.database), came("HOST_FUNCS"));
  return more;
}

std::int64_t names_once(const TraceAsRead& read) {
  const std::string table(schema::describe<schema::StringRow>.name);
  if (!has_table<schema::StringRow>(read.database)) return 0;
  return read.database
      .query_int64("SELECT 2 * count(*) - count(DISTINCT value) - count(DISTINCT id) FROM " + table)
      .value_or(0);
}

std::int64_t null_streams(const TraceAsRead& read) {
  using schema::StreamRow;
  const Trace& trace = read.trace;
  constexpr std::int64_t not_known = 0;  // ENUM_CUPTI_STREAM_TYPE
  constexpr std::int64_t legacy_default = 3;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> null_of_context;
  for (const CudaContext& context : trace.contexts) {
    null_of_context[{context.pid, context.id}] = context.null_stream;
  }
  std::int64_t broken = 0;
  std::set<std::pair<std::uint32_t, std::uint32_t>> has_one;
  using Columns = Selection<COLUMNS(StreamRow, processId, contextId, streamId, flag)>;
  for_each_row<Columns>(read.database, [&](const StreamRow& row) {
    const std::pair key(static_cast<std::uint32_t>(row.processId), id_of(row.contextId));
    const auto context = null_of_context.find(key);
    const bool is_null = context != null_of_context.end() && context->second == id_of(row.streamId);
    broken += context == null_of_context.end() || row.flag == not_known ||
              is_null != (row.flag == legacy_default);
    if (is_null) has_one.insert(key);
  });
  return broken + static_cast<std::int64_t>(null_of_context.size() - has_one.size());
}

std::int64_t gpus_listed(const TraceAsRead& read) {
  using schema::CudaDeviceRow;
  using schema::GpuRow;
  struct Listed {
    std::optional<std::int64_t> multiprocessors;
    std::optional<std::string> uuid;
  };
  std::map<std::int64_t, Listed> gpus;
  std::int64_t broken = 0;
  using Gpus = Selection<COLUMNS(GpuRow, id, uuid, smCount, threadsPerWarp, maxWarpsPerSm,
                                 maxBlocksPerSm, maxRegistersPerSm, maxShmemPerSm, asyncEngines)>;
  for_each_row<Gpus>(read.database, [&](const GpuRow& row) {
    broken += !gpus.emplace(row.id, Listed{row.smCount, row.uuid}).second;
    for (const auto& quantity : {row.smCount, row.threadsPerWarp, row.maxWarpsPerSm,
                                 row.maxBlocksPerSm, row.maxRegistersPerSm, row.maxShmemPerSm}) {
      broken += quantity.value_or(0) <= 0;
    }
    broken += !row.asyncEngines;
  });
  using Devices = Selection<COLUMNS(CudaDeviceRow, gpuId, uuid, numMultiprocessors)>;
  for_each_row<Devices>(read.database, [&](const CudaDeviceRow& row) {
    const auto gpu = gpus.find(row.gpuId.value_or(-1));
    broken += gpu == gpus.end() || gpu->second.multiprocessors != row.numMultiprocessors ||
              gpu->second.uuid != row.uuid;
  });
  for (const Device& device : read.trace.devices) broken += gpus.count(device.id) == 0;
  for (const CudaContext& context : read.trace.contexts) {
    broken += gpus.count(context.device) == 0;
  }
  return broken;
}

// The collector writes the links at the end of the recording. So this law holds only for a trace of
// the whole run.
std::int64_t links(const TraceAsRead& read) {
  using schema::GpuRow;
  using schema::LinkRow;
  if (!read.extent.is_whole) return 0;
  std::map<std::int64_t, std::string> uuids;  // by id of the GPU
  for_each_row<Selection<COLUMNS(GpuRow, id, uuid)>>(
      read.database, [&](const GpuRow& row) { uuids.try_emplace(row.id, row.uuid.value_or("")); });
  std::int64_t broken = 0;
  std::map<std::string, std::int64_t> of_kind;
  using Columns = Selection<COLUMNS(LinkRow, kind, gpuId, uuid, bytesPerSecond)>;
  for_each_row<Columns>(read.database, [&](const LinkRow& row) {
    ++of_kind[row.kind];
    broken += (row.kind != "nvlink" && row.kind != "pcie") || row.bytesPerSecond.value_or(0) <= 0;
    const auto gpu = row.gpuId ? uuids.find(*row.gpuId) : uuids.end();
    broken += gpu != uuids.end() && gpu->second != row.uuid;
  });
  const auto received = received_by_kind(read.database);
  const auto came = received.find("NVLINK");
  broken += came != received.end() && came->second != of_kind["nvlink"];
  // The fact pcie-links has the number of PCIe links that the system lists. It may be 0, for
  // example in a container or for a GPU without a bus of its own.
  const auto listed = read.database.query_int64(
      "SELECT CAST(value AS INTEGER) FROM LAPSCOPE_CAPTURE WHERE name = '" +
      std::string(schema::fact::pcie_links) + "'");
  return broken + (listed && *listed != of_kind["pcie"]);
}

std::int64_t known_threads(const TraceAsRead& read) {
  using schema::ThreadNameRow;
  std::set<std::int64_t> named;
  for_each_row<Selection<COLUMNS(ThreadNameRow, globalTid)>>(
      read.database,
      [&named](const ThreadNameRow& row) { named.insert(row.globalTid.value_or(0)); });
  const auto is_unknown = [&named](const auto& one) { return named.count(one.global_tid) == 0; };
  const auto& threads = read.trace.calls.threads;
  // Of the overheads, checks only module loads. Other overheads may lie in CUPTI's own threads,
  // which have no names. These threads load no modules.
  const auto& overheads = read.trace.overheads;
  const auto loads = [&](const Overhead& one) {
    return one.kind == OverheadKind::module_load && is_unknown(one);
  };
  return std::count_if(threads.begin(), threads.end(), is_unknown) +
         std::count_if(overheads.begin(), overheads.end(), loads);
}

}  // namespace lapscope::analyzer::laws
