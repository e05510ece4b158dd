#include "analyzer/reader/read_host.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "collector/schema/global_id.h"
#include "collector/schema/statements.h"
#include "collector/schema/tables.h"

namespace lapscope::analyzer {
namespace {

using schema::ApiCallRow;
using schema::Database;
using schema::NvtxRow;
using schema::OverheadRow;
using schema::Selection;
using schema::Statement;
using schema::StringRow;
using schema::SynchronizationRow;

template <class Row>
bool has(Database& database) {
  return database.has_table(schema::describe<Row>.name);
}

void read_names(Database& database, Names& names) {
  if (!has<StringRow>(database)) return;
  using Columns = Selection<StringRow, &StringRow::id, &StringRow::value>;
  Statement rows(database, Columns::sql(database));
  while (rows.step()) {
    StringRow row = Columns::read(rows);
    names.add(row.id, std::move(row.value));
  }
}

// Calls as they stand in the file, before they are put in order.
struct Unordered {
  std::vector<Interval> interval;
  std::vector<std::int64_t> global_tid;
  std::vector<std::uint32_t> correlation;
  std::vector<std::uint32_t> name;
};

template <class Columns>
Unordered read_calls(Database& database, ReadHost& host) {
  Unordered calls;
  constexpr std::int64_t backtrace_class = 67;  // a second row per call in some nsys exports
  Statement rows(database, Columns::sql(database));
  while (rows.step()) {
    const ApiCallRow row = Columns::read(rows);
    if (row.eventClass == backtrace_class) continue;
    if (!believable(row.start, row.end)) {
      ++host.invalid;
      continue;
    }
    calls.interval.push_back({row.start, row.end});
    calls.global_tid.push_back(row.globalTid.value_or(0));
    calls.correlation.push_back(static_cast<std::uint32_t>(row.correlationId.value_or(0)));
    calls.name.push_back(host.names.index_of(row.nameId));
  }
  return calls;
}

Unordered read_calls_if_any(Database& database, ReadHost& host) {
  if (!has<ApiCallRow>(database)) return {};
  // Some exports have only the rows of class 0 and no column to say so.
  if (!database.has_column(schema::describe<ApiCallRow>.name, "eventClass")) {
    return read_calls<
        Selection<ApiCallRow, &ApiCallRow::start, &ApiCallRow::end, &ApiCallRow::globalTid,
                  &ApiCallRow::correlationId, &ApiCallRow::nameId>>(database, host);
  }
  return read_calls<
      Selection<ApiCallRow, &ApiCallRow::start, &ApiCallRow::end, &ApiCallRow::globalTid,
                &ApiCallRow::correlationId, &ApiCallRow::nameId, &ApiCallRow::eventClass>>(database,
                                                                                           host);
}

// By thread and start; an enclosing call before those inside it.
std::vector<std::uint32_t> order_of(const Unordered& calls) {
  std::vector<std::uint32_t> order(calls.interval.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&calls](std::uint32_t a, std::uint32_t b) {
    if (calls.global_tid[a] != calls.global_tid[b])
      return calls.global_tid[a] < calls.global_tid[b];
    const Interval& left = calls.interval[a];
    const Interval& right = calls.interval[b];
    return left.start != right.start ? left.start < right.start : left.end > right.end;
  });
  return order;
}

void put_in_order(const Unordered& unordered, ReadHost& host) {
  std::unordered_map<std::uint32_t, CallKind> kinds;  // by name: far fewer names than calls
  Calls& calls = host.calls;
  for (const std::uint32_t source : order_of(unordered)) {
    const auto call = static_cast<std::uint32_t>(calls.size());
    const std::int64_t tid = unordered.global_tid[source];
    if (calls.threads.empty() || calls.threads.back().global_tid != tid) {
      calls.threads.push_back({tid, call, call});
    }
    calls.threads.back().last = call + 1;
    const std::uint32_t name = unordered.name[source];
    const auto [kind, is_new] = kinds.try_emplace(name, CallKind::other);
    if (is_new) kind->second = call_kind(host.names.text(name));
    calls.start.push_back(unordered.interval[source].start);
    calls.end.push_back(unordered.interval[source].end);
    calls.thread.push_back(static_cast<std::uint32_t>(calls.threads.size() - 1));
    calls.name.push_back(name);
    calls.stream.push_back(no_index);
    calls.kind.push_back(kind->second);
    if (unordered.correlation[source] != 0) {
      host.issues.add(schema::pid_of(tid), unordered.correlation[source], call);
    }
  }
  host.issues.build();
}

// Which stream a cudaStreamWaitEvent makes wait is told by its synchronisation record alone.
void read_stream_waits(Database& database, ReadHost& host) {
  if (!has<SynchronizationRow>(database)) return;
  using Columns = Selection<SynchronizationRow, &SynchronizationRow::streamId,
                            &SynchronizationRow::correlationId, &SynchronizationRow::globalPid>;
  Statement rows(database, Columns::sql(database));
  while (rows.step()) {
    const SynchronizationRow row = Columns::read(rows);
    const std::uint32_t call =
        host.issues.find(schema::pid_of(row.globalPid.value_or(0)),
                         static_cast<std::uint32_t>(row.correlationId.value_or(0)));
    if (call != no_index) host.calls.stream[call] = static_cast<std::uint32_t>(row.streamId);
  }
}

OverheadKind overhead_kind(std::int64_t type) {  // ENUM_CUPTI_OVERHEAD_TYPE
  switch (type) {
    case 2:  // the driver's compiler
    case 6:
    case 7:
      return OverheadKind::module_load;
    case 8:
      return OverheadKind::command_buffer_full;
    default:
      return OverheadKind::profiler;
  }
}

void read_overheads(Database& database, ReadHost& host) {
  if (!has<OverheadRow>(database)) return;
  using Columns = Selection<OverheadRow, &OverheadRow::start, &OverheadRow::end,
                            &OverheadRow::globalTid, &OverheadRow::overheadType>;
  Statement rows(database, Columns::sql(database));
  while (rows.step()) {
    const OverheadRow row = Columns::read(rows);
    if (!believable(row.start, row.end)) {
      ++host.invalid;
      continue;
    }
    host.overheads.push_back(
        {{row.start, row.end}, overhead_kind(row.overheadType), row.globalTid.value_or(0)});
  }
  std::sort(host.overheads.begin(), host.overheads.end(), [](const Overhead& a, const Overhead& b) {
    return a.interval.start < b.interval.start;
  });
}

void read_ranges(Database& database, ReadHost& host) {
  if (!has<NvtxRow>(database)) return;
  using Columns = Selection<NvtxRow, &NvtxRow::start, &NvtxRow::end, &NvtxRow::eventType,
                            &NvtxRow::globalTid, &NvtxRow::textId, &NvtxRow::text>;
  constexpr std::int64_t push_pop_range = 59;   // ENUM_NSYS_EVENT_TYPE
  constexpr std::int64_t start_end_range = 60;  // ENUM_NSYS_EVENT_TYPE
  std::int64_t own_names = -1;  // texts that stand in the row itself get ids that no StringIds has
  Statement rows(database, Columns::sql(database));
  while (rows.step()) {
    NvtxRow row = Columns::read(rows);
    if (row.eventType != push_pop_range && row.eventType != start_end_range) continue;
    const std::int64_t end = row.end.value_or(latest_time);
    if (!believable(row.start, end)) {
      ++host.invalid;
      continue;
    }
    if (row.text) host.names.add(own_names, std::move(*row.text));
    const std::int64_t id = row.text ? own_names-- : row.textId.value_or(0);
    host.ranges.push_back({{row.start, end}, host.names.index_of(id), row.globalTid.value_or(0)});
  }
  std::sort(host.ranges.begin(), host.ranges.end(), [](const NvtxRange& a, const NvtxRange& b) {
    return a.interval.start != b.interval.start ? a.interval.start < b.interval.start
                                                : a.interval.end > b.interval.end;
  });
}

}  // namespace

ReadHost read_host(Database& database) {
  ReadHost host;
  read_names(database, host.names);
  put_in_order(read_calls_if_any(database, host), host);
  read_stream_waits(database, host);
  read_overheads(database, host);
  read_ranges(database, host);
  return host;
}

}  // namespace lapscope::analyzer
