#include "readers/tables/reading_health.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <vector>

#include "analyzer/model/assumptions.h"
#include "collector/schema/tables.h"

namespace lapscope::analyzer {
namespace {

using schema::ApiCallRow;
using Results = std::map<std::uint32_t, std::int64_t>;  // result by outermost call

// Returns the outermost calls that failed, or that contain a call that failed.
Results failures_of(schema::Database& database, const Calls& calls) {
  const std::string table = schema::table_name<ApiCallRow>();
  Results failures;
  const bool is_told = database.has_table(table) && database.has_column(table, "returnValue") &&
                       database.has_column(table, "globalTid");
  if (!is_told) return failures;
  // 600 (cudaErrorNotReady) is not a failure.
  schema::Statement rows(database, "SELECT start, globalTid, returnValue FROM " + table +
                                       " WHERE returnValue NOT IN (0, 600) AND "
                                       "typeof(returnValue) = 'integer'");
  while (rows.step()) {
    const std::uint32_t call = calls.call_at(rows.integer(1).value_or(0), rows.int64(0));
    if (call == no_index) continue;
    // The result of the outermost call takes precedence over results of calls inside it.
    const bool is_own = calls.start[call] == rows.int64(0);
    if (is_own) failures[call] = rows.int64(2);
    if (!is_own) failures.try_emplace(call, rows.int64(2));
  }
  return failures;
}

bool is_of(std::initializer_list<CallKind> kinds, CallKind kind) {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

std::int64_t calls_of(const Calls& calls, std::initializer_list<CallKind> kinds) {
  std::int64_t count = 0;
  for (const Calls::Thread& thread : calls.threads) {
    for (std::uint32_t call = thread.first; call < thread.last; ++call) {
      count += is_of(kinds, calls.kind[call]);
    }
  }
  return count;
}

// The number of failed calls and their most frequent error.
struct Failed {
  std::int64_t count = 0;
  std::int64_t error = 0;
};

Failed failed_of(const Results& failures, const Calls& calls,
                 std::initializer_list<CallKind> kinds) {
  Failed failed;
  std::map<std::int64_t, std::int64_t> by_error;
  for (const auto& [call, error] : failures) {
    if (!is_of(kinds, calls.kind[call])) continue;
    ++failed.count;
    ++by_error[error];
  }
  if (by_error.empty()) return failed;
  failed.error =
      std::max_element(by_error.begin(), by_error.end(), [](const auto& a, const auto& b) {
        return a.second < b.second;
      })->first;
  return failed;
}

std::int64_t ops_of(const Trace& trace, bool is_kernel) {
  std::int64_t count = 0;
  for (const Device& device : trace.devices) {
    count += std::count_if(device.ops.kind.begin(), device.ops.kind.end(),
                           [&](OpKind kind) { return (kind == OpKind::kernel) == is_kernel; });
  }
  return count;
}

}  // namespace

void add_failed_calls(schema::Database& database, Trace& trace) {
  const Calls& calls = trace.calls;
  const Results failures = failures_of(database, calls);
  if (failures.empty()) return;
  std::vector<HealthRow> rows;
  const auto add = [&](std::initializer_list<CallKind> kinds, HealthKind many, HealthKind few,
                       std::int64_t ran) {
    const Failed failed = failed_of(failures, calls, kinds);
    if (failed.count == 0) return;
    const std::int64_t all = calls_of(calls, kinds);
    const bool is_much =
        static_cast<double>(failed.count) > assumed::hardly_any * static_cast<double>(all);
    rows.push_back({is_much ? many : few, failed.count, {failed.error, ran, all - failed.count}});
  };
  add({CallKind::launch, CallKind::graph_launch}, HealthKind::launches_failed,
      HealthKind::some_launches_failed, ops_of(trace, true));
  add({CallKind::copy_async, CallKind::copy_blocking, CallKind::memset},
      HealthKind::transfers_failed, HealthKind::some_transfers_failed, ops_of(trace, false));
  add({CallKind::synchronize}, HealthKind::waits_failed, HealthKind::waits_failed, 0);
  trace.health.insert(trace.health.begin(), rows.begin(), rows.end());
}

}  // namespace lapscope::analyzer
