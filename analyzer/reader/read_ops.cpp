#include "analyzer/reader/read_ops.h"

#include "collector/schema/global_id.h"
#include "collector/schema/statements.h"
#include "collector/schema/tables.h"

namespace lapscope::analyzer {
namespace {

using schema::Database;
using schema::KernelRow;
using schema::MemcpyRow;
using schema::MemsetRow;
using schema::Selection;

// A size as CUDA allows it (up to 2^31), or 0 for what no launch can have had.
std::int64_t small(std::int64_t size) {
  return 0 <= size && size <= std::int64_t{1} << 31 ? size : 0;
}

// x * y * z, or 0 when that is no shape that CUDA can launch.
std::int64_t volume(std::int64_t x, std::int64_t y, std::int64_t z) {
  std::int64_t plane = 0;
  std::int64_t result = 0;
  if (__builtin_mul_overflow(small(x), small(y), &plane) ||
      __builtin_mul_overflow(plane, small(z), &result)) {
    return 0;
  }
  return result;
}

// The ops of one trace as they are being read.
class Reading {
 public:
  Reading(Database& database, const ReadHost& host) : database_(database), host_(host) {}

  // Reads one table; `describe(row, ops)` fills the columns that differ between tables.
  template <class Columns, class Row, class Describe>
  void table(OpKind kind, Describe&& describe) {
    if (!database_.has_table(schema::describe<Row>.name)) return;
    schema::Statement rows(database_, Columns::sql(database_));
    while (rows.step()) {
      const Row row = Columns::read(rows);
      if (!believable(row.start, row.end) || row.deviceId < 0) {
        ++result_.invalid;
        continue;
      }
      Ops& ops = result_.by_device[row.deviceId];
      ops.start.push_back(row.start);
      ops.end.push_back(row.end);
      ops.stream.push_back(static_cast<std::uint32_t>(row.streamId));
      ops.kind.push_back(kind);
      const std::uint32_t issue =
          host_.issues.find(schema::pid_of(row.globalPid.value_or(0)),
                            static_cast<std::uint32_t>(row.correlationId.value_or(0)));
      if (issue == no_index) ++result_.unissued;
      ops.issue.push_back(issue);
      describe(row, ops);
    }
  }

  // Each geometry once a device: kernels are launched the same way over and over.
  std::uint32_t geometry(const KernelRow& row, Ops& ops) {
    const LaunchGeometry geometry{volume(row.gridX, row.gridY, row.gridZ),
                                  volume(row.blockX, row.blockY, row.blockZ),
                                  small(row.registersPerThread),
                                  small(row.staticSharedMemory) + small(row.dynamicSharedMemory)};
    const auto [known, is_new] = geometries_.try_emplace(
        {row.deviceId, geometry}, static_cast<std::uint32_t>(ops.geometries.size()));
    if (is_new) ops.geometries.push_back(geometry);
    return known->second;
  }

  std::uint32_t name(std::int64_t id) const { return host_.names.index_of(id); }
  ReadOps take() { return std::move(result_); }

 private:
  Database& database_;
  const ReadHost& host_;
  ReadOps result_;
  std::map<std::pair<std::int64_t, LaunchGeometry>, std::uint32_t> geometries_;
};

using KernelColumns =
    Selection<KernelRow, &KernelRow::start, &KernelRow::end, &KernelRow::deviceId,
              &KernelRow::streamId, &KernelRow::correlationId, &KernelRow::globalPid,
              &KernelRow::shortName, &KernelRow::registersPerThread, &KernelRow::gridX,
              &KernelRow::gridY, &KernelRow::gridZ, &KernelRow::blockX, &KernelRow::blockY,
              &KernelRow::blockZ, &KernelRow::staticSharedMemory, &KernelRow::dynamicSharedMemory>;
// Exports that somebody has trimmed may lack the shape of launches; times and names are enough to
// measure.
using KernelColumnsWithoutShape =
    Selection<KernelRow, &KernelRow::start, &KernelRow::end, &KernelRow::deviceId,
              &KernelRow::streamId, &KernelRow::correlationId, &KernelRow::globalPid,
              &KernelRow::shortName>;
using MemcpyColumns =
    Selection<MemcpyRow, &MemcpyRow::start, &MemcpyRow::end, &MemcpyRow::deviceId,
              &MemcpyRow::streamId, &MemcpyRow::correlationId, &MemcpyRow::globalPid,
              &MemcpyRow::bytes, &MemcpyRow::copyKind, &MemcpyRow::channelType>;
using MemsetColumns = Selection<MemsetRow, &MemsetRow::start, &MemsetRow::end, &MemsetRow::deviceId,
                                &MemsetRow::streamId, &MemsetRow::correlationId,
                                &MemsetRow::globalPid, &MemsetRow::bytes, &MemsetRow::channelType>;

}  // namespace

ReadOps read_ops(Database& database, const ReadHost& host) {
  Reading reading(database, host);
  const auto kernel = [&](const KernelRow& row, std::uint32_t geometry, Ops& ops) {
    ops.engine.push_back(Engine::compute);
    ops.name.push_back(reading.name(row.shortName));
    ops.geometry.push_back(geometry);
    ops.bytes.push_back(0);
  };
  if (database.has_column(schema::describe<KernelRow>.name, "registersPerThread")) {
    reading.table<KernelColumns, KernelRow>(OpKind::kernel, [&](const KernelRow& row, Ops& ops) {
      kernel(row, reading.geometry(row, ops), ops);
    });
  } else {
    reading.table<KernelColumnsWithoutShape, KernelRow>(
        OpKind::kernel, [&](const KernelRow& row, Ops& ops) { kernel(row, no_index, ops); });
  }
  const auto transfer = [](Engine engine, std::int64_t bytes, Ops& ops) {
    ops.engine.push_back(engine);
    ops.name.push_back(no_index);
    ops.geometry.push_back(no_index);
    ops.bytes.push_back(bytes);
  };
  reading.table<MemcpyColumns, MemcpyRow>(OpKind::memcpy, [&](const MemcpyRow& row, Ops& ops) {
    transfer(engine_of_copy(row.copyKind, row.channelType), row.bytes, ops);
  });
  reading.table<MemsetColumns, MemsetRow>(OpKind::memset, [&](const MemsetRow& row, Ops& ops) {
    transfer(engine_of_memset(row.channelType), row.bytes, ops);
  });
  return reading.take();
}

}  // namespace lapscope::analyzer
