#include "analyzer/reader/read_ops.h"

#include "collector/schema/statements.h"
#include "collector/schema/tables.h"

namespace lapscope::analyzer {
namespace {

using schema::Database;
using schema::KernelRow;
using schema::MemcpyRow;
using schema::MemsetRow;
using schema::Selection;

bool believable(std::int64_t start, std::int64_t end) {
  return 0 <= start && start <= end && end <= latest_time;
}

template <class Columns, class Row, class EngineOf>
void read_table(Database& database, OpKind kind, ReadOps& result, EngineOf&& engine_of) {
  if (!database.has_table(schema::describe<Row>.name)) return;
  schema::Statement rows(database, Columns::sql(database));
  while (rows.step()) {
    const Row row = Columns::read(rows);
    if (!believable(row.start, row.end) || row.deviceId < 0) {
      ++result.invalid;
      continue;
    }
    Ops& ops = result.by_device[row.deviceId];
    ops.start.push_back(row.start);
    ops.end.push_back(row.end);
    ops.stream.push_back(static_cast<std::uint32_t>(row.streamId));
    ops.engine.push_back(engine_of(row));
    ops.kind.push_back(kind);
  }
}

}  // namespace

ReadOps read_ops(Database& database) {
  ReadOps result;
  read_table<Selection<KernelRow, &KernelRow::start, &KernelRow::end, &KernelRow::deviceId,
                       &KernelRow::streamId>,
             KernelRow>(database, OpKind::kernel, result,
                        [](const KernelRow&) { return Engine::compute; });
  read_table<Selection<MemcpyRow, &MemcpyRow::start, &MemcpyRow::end, &MemcpyRow::deviceId,
                       &MemcpyRow::streamId, &MemcpyRow::copyKind, &MemcpyRow::channelType>,
             MemcpyRow>(database, OpKind::memcpy, result, [](const MemcpyRow& row) {
    return engine_of_copy(row.copyKind, row.channelType);
  });
  read_table<Selection<MemsetRow, &MemsetRow::start, &MemsetRow::end, &MemsetRow::deviceId,
                       &MemsetRow::streamId, &MemsetRow::channelType>,
             MemsetRow>(database, OpKind::memset, result,
                        [](const MemsetRow& row) { return engine_of_memset(row.channelType); });
  return result;
}

}  // namespace lapscope::analyzer
