#include "readers/tables/streams_of_ops.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "collector/schema/global_id.h"
#include "collector/schema/tables.h"
#include "readers/tables/scan.h"

namespace lapscope::analyzer {
namespace {

struct OpPlace {
  std::uint32_t pid = 0;
  std::uint32_t context = no_index;
  std::int64_t device = 0;
  std::uint32_t stream = no_index;
};

template <class Row, class F>
void for_each_place_in(schema::Database& database, F&& f) {
  using Columns = schema::TolerantSelection<Row, &Row::globalPid, &Row::contextId, &Row::deviceId,
                                            &Row::streamId>;
  for_each_row<Columns>(database, [&f](const Row& row) {
    const OpPlace place{schema::pid_of(row.globalPid.value_or(0)), id_of(row.contextId),
                        row.deviceId, id_of(row.streamId)};
    // A context of 0 means an empty column, because context ids start at 1.
    if (place.context != no_index && place.context != 0) f(place);
  });
}

template <class F>
void for_each_place(schema::Database& database, F&& f) {
  for_each_place_in<schema::KernelRow>(database, f);
  for_each_place_in<schema::MemcpyRow>(database, f);
  for_each_place_in<schema::MemsetRow>(database, f);
}

bool is_placed(const Stream& stream) { return stream.context != 0; }

}  // namespace

std::vector<CudaContext> contexts_of_ops(schema::Database& database) {
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::int64_t>> found;
  for_each_place(database, [&found](const OpPlace& place) {
    if (place.device == schema::no_integer) return;
    found.insert({place.pid, place.context, place.device});
  });
  std::vector<CudaContext> contexts;
  for (const auto& [pid, id, device] : found) contexts.push_back({pid, id, device, no_index});
  return contexts;
}

void place_streams(schema::Database& database, Trace& trace) {
  const bool are_placed =
      std::all_of(trace.devices.begin(), trace.devices.end(), [](const Device& device) {
        return std::all_of(device.streams.begin(), device.streams.end(), is_placed);
      });
  if (are_placed || trace.synchronizations.empty()) return;
  // Context by process and stream; no_index if the stream's ops have several contexts.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> contexts;
  for_each_place(database, [&contexts](const OpPlace& place) {
    std::uint32_t& context =
        contexts.try_emplace({place.pid, place.stream}, place.context).first->second;
    if (context != place.context) context = no_index;
  });
  for (Device& device : trace.devices) {
    for (Stream& stream : device.streams) {
      const auto found = contexts.find({stream.pid, stream.id});
      const bool is_told = found != contexts.end() && found->second != no_index;
      if (!is_placed(stream) && is_told) stream.context = found->second;
    }
  }
}

}  // namespace lapscope::analyzer
