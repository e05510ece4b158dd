#include "analyzer/reader/read_target.h"

#include <algorithm>

#include "analyzer/reader/read_links.h"
#include "collector/schema/statements.h"
#include "collector/schema/tables.h"

namespace lapscope::analyzer {
namespace {

using schema::ContextRow;
using schema::Database;
using schema::GpuRow;
using schema::Selection;
using schema::Statement;
using schema::StreamRow;

StreamKind kind_of(std::int64_t flag) {  // ENUM_CUPTI_STREAM_TYPE
  switch (flag) {
    case 1:
      return StreamKind::blocking;
    case 2:
      return StreamKind::non_blocking;
    case 3:
      return StreamKind::legacy_default;
    default:
      return StreamKind::unknown;
  }
}

}  // namespace

std::map<std::int64_t, Gpu> read_gpus(Database& database) {
  std::map<std::int64_t, Gpu> gpus;
  std::map<std::string, std::int64_t> id_of_uuid;
  if (!database.has_table(schema::describe<GpuRow>.name)) return gpus;
  using Columns =
      Selection<GpuRow, &GpuRow::id, &GpuRow::name, &GpuRow::smCount, &GpuRow::threadsPerWarp,
                &GpuRow::maxWarpsPerSm, &GpuRow::maxBlocksPerSm, &GpuRow::maxRegistersPerSm,
                &GpuRow::maxShmemPerSm, &GpuRow::uuid>;
  Statement rows(database, Columns::sql(database));
  while (rows.step()) {
    const GpuRow row = Columns::read(rows);
    Gpu gpu;
    gpu.name = row.name.value_or("");
    gpu.limits = {row.smCount.value_or(0),           row.threadsPerWarp.value_or(0),
                  row.maxWarpsPerSm.value_or(0),     row.maxBlocksPerSm.value_or(0),
                  row.maxRegistersPerSm.value_or(0), row.maxShmemPerSm.value_or(0)};
    if (row.uuid) id_of_uuid.emplace(*row.uuid, row.id);
    gpus.emplace(row.id, std::move(gpu));
  }
  for (const auto& [id, links] : read_links(database, id_of_uuid)) {
    if (const auto gpu = gpus.find(id); gpu != gpus.end()) gpu->second.links = links;
  }
  return gpus;
}

std::map<std::int64_t, std::vector<Stream>> read_streams(Database& database) {
  std::map<std::int64_t, std::vector<Stream>> streams;
  if (!database.has_table(schema::describe<ContextRow>.name) ||
      !database.has_table(schema::describe<StreamRow>.name)) {
    return streams;
  }
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> device_of_context;  // by process
  using Contexts =
      Selection<ContextRow, &ContextRow::processId, &ContextRow::contextId, &ContextRow::deviceId>;
  Statement contexts(database, Contexts::sql(database));
  while (contexts.step()) {
    const ContextRow row = Contexts::read(contexts);
    device_of_context[{row.processId, row.contextId}] = row.deviceId;
  }
  using Columns = Selection<StreamRow, &StreamRow::processId, &StreamRow::streamId,
                            &StreamRow::contextId, &StreamRow::priority, &StreamRow::flag>;
  Statement rows(database, Columns::sql(database));
  while (rows.step()) {
    const StreamRow row = Columns::read(rows);
    const auto device = device_of_context.find({row.processId, row.contextId});
    if (device == device_of_context.end()) continue;
    Stream stream;
    stream.pid = static_cast<std::uint32_t>(row.processId);
    stream.id = static_cast<std::uint32_t>(row.streamId);
    stream.context = static_cast<std::uint32_t>(row.contextId);
    stream.kind = kind_of(row.flag);
    // Stored as an unsigned 32-bit value, as CUPTI gives it.
    stream.priority = static_cast<std::int32_t>(static_cast<std::uint32_t>(row.priority));
    streams[device->second].push_back(stream);
  }
  for (auto& [device, list] : streams) {
    std::stable_sort(list.begin(), list.end(), [](const Stream& a, const Stream& b) {
      return a.pid != b.pid ? a.pid < b.pid : a.id < b.id;
    });
  }
  return streams;
}

}  // namespace lapscope::analyzer
