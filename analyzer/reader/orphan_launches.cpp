#include "analyzer/reader/reading_health.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "analyzer/reader/scan.h"
#include "collector/schema/tables.h"

namespace lapscope::analyzer {
namespace {

using schema::ApiCallRow;
using schema::Database;
using schema::GraphNodeRow;
using schema::RecordsRow;
using schema::Selection;

using Instant = std::pair<std::int64_t, std::int64_t>;  // thread and time

bool knows_graphs(Database& database) {
  if (!has_table<RecordsRow>(database)) return false;
  return database.query_int64("SELECT count(*) FROM " +
                              std::string(schema::describe<RecordsRow>.name) +
                              " WHERE name = 'GRAPH_NODES' AND enableResult = 0") > 0;
}

// Launches without an op, by thread and begin: what they are the index of in Calls.
std::map<Instant, std::uint32_t> without_op(const Trace& trace) {
  std::vector<bool> has_op(trace.calls.size());
  for (const Device& device : trace.devices) {
    for (const std::uint32_t call : device.ops.issue) {
      if (call != no_index) has_op[call] = true;
    }
  }
  std::map<Instant, std::uint32_t> launches;
  for (const Calls::Thread& thread : trace.calls.threads) {
    for (std::uint32_t call = thread.first; call < thread.last; ++call) {
      if (trace.calls.kind[call] != CallKind::launch || has_op[call]) continue;
      launches.emplace(Instant(thread.global_tid, trace.calls.start[call]), call);
    }
  }
  return launches;
}

// The launch that lasted at an instant of its thread.
auto lasting(std::map<Instant, std::uint32_t>& launches, const Calls& calls, Instant instant) {
  auto after = launches.upper_bound(instant);
  if (after == launches.begin()) return launches.end();
  const auto launch = std::prev(after);
  const bool lasts =
      launch->first.first == instant.first && instant.second <= calls.end[launch->second];
  return lasts ? launch : launches.end();
}

}  // namespace

std::int64_t orphan_launches(Database& database, const Trace& trace) {
  if (!knows_graphs(database)) return 0;
  auto launches = without_op(trace);
  if (launches.empty()) return 0;
  const auto excuse = [&](Instant instant) {
    const auto launch = lasting(launches, trace.calls, instant);
    if (launch != launches.end()) launches.erase(launch);
  };
  using Results =
      Selection<ApiCallRow, &ApiCallRow::start, &ApiCallRow::globalTid, &ApiCallRow::returnValue>;
  for_each_row<Results, ApiCallRow>(
      database, nullptr,
      [&](std::int64_t start, std::optional<std::int64_t> thread, std::int64_t result) {
        if (result != 0) excuse({thread.value_or(0), start});
      });
  // A launch that made a node of a graph enqueued nothing.
  using Nodes = Selection<GraphNodeRow, &GraphNodeRow::globalTid, &GraphNodeRow::start>;
  for_each_row<Nodes, GraphNodeRow>(database, nullptr, [&](std::int64_t thread, std::int64_t time) {
    excuse({thread, time});
  });
  return static_cast<std::int64_t>(launches.size());
}

}  // namespace lapscope::analyzer
