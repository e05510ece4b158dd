#include "readers/nsys/contexts.h"

#include <algorithm>
#include <tuple>

#include "collector/schema/export_tables.h"
#include "readers/nsys/rows.h"

namespace lapscope::analyzer::nsys {
namespace {

std::uint32_t narrow(std::optional<std::int64_t> id) {
  const bool is_one = id && 0 <= *id && *id < no_index;
  return is_one ? static_cast<std::uint32_t>(*id) : no_index;
}

auto key_of(const CudaContext& context) {
  return std::tie(context.pid, context.id, context.device, context.null_stream);
}

}  // namespace

std::vector<CudaContext> read_null_streams(schema::Database& database) {
  std::vector<CudaContext> contexts;
  Rows rows(database, schema::export_table::null_stream,
            {"processId", "contextId", "deviceId", "streamId"});
  while (rows.step()) {
    contexts.push_back({static_cast<std::uint32_t>(rows.integer(0).value_or(0)),
                        narrow(rows.integer(1)), rows.integer(2).value_or(0),
                        narrow(rows.integer(3))});
  }
  std::sort(contexts.begin(), contexts.end(),
            [](const CudaContext& a, const CudaContext& b) { return key_of(a) < key_of(b); });
  return contexts;
}

void name_null_streams(Trace& trace) {
  for (Device& device : trace.devices) {
    for (Stream& stream : device.streams) {
      if (stream.kind != StreamKind::unknown) continue;
      for (const CudaContext& context : trace.contexts) {
        if (context.pid != stream.pid || context.null_stream != stream.id) continue;
        stream.kind = StreamKind::legacy_default;
        stream.context = context.id;
      }
    }
  }
}

}  // namespace lapscope::analyzer::nsys
