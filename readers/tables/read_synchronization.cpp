#include "readers/tables/read_host.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "collector/schema/global_id.h"
#include "collector/schema/tables.h"
#include "collector/schema/wait_functions.h"
#include "readers/tables/scan.h"

namespace lapscope::analyzer {
namespace {

using schema::CudaEventRow;
using schema::SynchronizationRow;
using schema::TolerantSelection;
using Optional = std::optional<std::int64_t>;

SyncKind kind_of_sync(std::int64_t type) {  // ENUM_CUPTI_SYNC_TYPE
  const auto last = static_cast<std::int64_t>(SyncKind::context);
  return 0 <= type && type <= last ? static_cast<SyncKind>(type) : SyncKind::unknown;
}

// Returns the kind of a wait by its function. The recorded number is less reliable: until 2025,
// exports of Nsight Systems have wrong numbers for cudaDeviceSynchronize, first 1, later 0.
SyncKind kind_of_function(std::string_view function) {
  const schema::WaitFunction* known = schema::wait_function(function);
  if (known == nullptr) return SyncKind::unknown;
  switch (known->kind) {
    case schema::WaitKind::stream_waits_for_event:
      return SyncKind::stream_wait_event;
    case schema::WaitKind::waits_for_event:
    case schema::WaitKind::asks_for_event:
      return SyncKind::event;
    case schema::WaitKind::waits_for_stream:
    case schema::WaitKind::asks_for_stream:
      return SyncKind::stream;
    case schema::WaitKind::waits_for_context:
      return SyncKind::context;
  }
  return SyncKind::unknown;
}

// Returns the number of an event record, or 0 if there is none. The numbers of CUPTI begin with 1.
std::uint32_t event_sync_of(Optional stored) {
  const std::uint32_t id = id_of(stored);
  return id == no_index ? 0 : id;
}

// Returns the call of a record. Several calls may have the record's id: for example, exports of
// 2024.2 give a cudaDeviceReset the id of the cuCtxSynchronize before it. In this case, returns the
// only call that `can_be` accepts; no_index if `can_be` accepts none or several.
template <class CanBe>
std::uint32_t call_of(const ReadCalls& calls, std::uint32_t pid, Optional correlation,
                      CanBe&& can_be) {
  const auto id = static_cast<std::uint32_t>(correlation.value_or(0));
  const std::uint32_t call = calls.issues.find(pid, id);
  if (call != no_index) return call;
  std::uint32_t meant = no_index;
  for (const std::uint32_t sharing : calls.issues.sharing(pid, id)) {
    if (!can_be(sharing)) continue;
    if (meant != no_index) return no_index;
    meant = sharing;
  }
  return meant;
}

// Reads the columns that the tables of synchronizations and of event records share. Returns nothing
// if the call is not in the trace.
template <class Record, class Row, class CanBe>
std::optional<Record> placed(const ReadCalls& calls, CanBe&& can_be, const Row& row) {
  Record record;
  record.pid = schema::pid_of(row.globalPid.value_or(0));
  record.call = call_of(calls, record.pid, row.correlationId, can_be);
  if (record.call == no_index) return std::nullopt;
  record.stream = id_of(row.streamId);
  record.context = id_of(row.contextId);
  record.event = id_of(row.eventId);
  record.event_sync = event_sync_of(row.eventSyncId);
  return record;
}

// Sorts by start of the call, then by all columns (`parts`). The order of rows then has no effect.
template <class Record, class Parts>
void sort_by_start(std::vector<Record>& records, const Calls& calls, Parts parts) {
  std::sort(records.begin(), records.end(), [&](const Record& a, const Record& b) {
    const Ns start_a = calls.start[a.call];
    const Ns start_b = calls.start[b.call];
    return start_a != start_b ? start_a < start_b : parts(a) < parts(b);
  });
}

void read_synchronizations(schema::Database& database, const Names& names, const ReadCalls& calls,
                           ReadSynchronization& result) {
  using Row = SynchronizationRow;
  using Columns = TolerantSelection<COLUMNS(Row, syncType, correlationId, globalPid, contextId,
                                            streamId, eventId, eventSyncId)>;
  result.synchronizations.reserve(static_cast<std::size_t>(rows_at_most<Row>(database)));
  std::map<std::uint32_t, SyncKind> by_name;
  const auto waits = [&](std::uint32_t call) {
    return kind_of_function(names.text(calls.calls.name[call])) != SyncKind::unknown;
  };
  result.synchronization_rows = for_each_row<Columns>(database, [&](const Row& row) {
    auto record = placed<Synchronization>(calls, waits, row);
    if (!record) {
      ++result.without_call;
      result.lost_calls +=
          calls.issues.is_among(schema::pid_of(row.globalPid.value_or(0)),
                                static_cast<std::uint32_t>(row.correlationId.value_or(0)));
      return;
    }
    const auto [known, is_new] = by_name.try_emplace(calls.calls.name[record->call]);
    if (is_new) known->second = kind_of_function(names.text(known->first));
    result.unlike_their_calls += known->second != kind_of_sync(row.syncType);
    record->kind = known->second == SyncKind::unknown ? kind_of_sync(row.syncType) : known->second;
    result.synchronizations.push_back(*record);
  });
  sort_by_start(result.synchronizations, calls.calls, [](const Synchronization& s) {
    return std::tie(s.call, s.kind, s.stream, s.context, s.event, s.event_sync);
  });
}

void read_event_records(schema::Database& database, const Names& names, const ReadCalls& calls,
                        ReadSynchronization& result) {
  const auto records = [&](std::uint32_t call) {
    return names.text(calls.calls.name[call]).find("EventRecord") != std::string::npos;
  };
  using Row = CudaEventRow;
  using Columns = TolerantSelection<COLUMNS(Row, correlationId, globalPid, contextId, streamId,
                                            eventId, eventSyncId)>;
  result.event_records.reserve(static_cast<std::size_t>(rows_at_most<Row>(database)));
  result.event_rows = for_each_row<Columns>(database, [&](const Row& row) {
    if (const auto record = placed<EventRecord>(calls, records, row)) {
      const bool is_node = calls.calls.kind[record->call] == CallKind::graph_launch;
      result.unlike_their_calls += !is_node && !records(record->call);
      result.event_records.push_back(*record);
    } else {
      ++result.without_call;
    }
  });
  sort_by_start(result.event_records, calls.calls, [](const EventRecord& r) {
    return std::tie(r.call, r.stream, r.context, r.event, r.event_sync);
  });
}

// Gives each event record a number. If a wait waits for an event, sets its event_sync to the number
// of an event record: the latest record of this event before the wait. Exports from before 2025
// have no such numbers. They state only the event, which can be recorded several times.
void number_events(const Calls& calls, ReadSynchronization& result) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> latest;  // by process and event
  auto record = result.event_records.begin();
  for (Synchronization& wait : result.synchronizations) {
    for (; record != result.event_records.end() &&
           calls.start[record->call] <= calls.start[wait.call];
         ++record) {
      if (record->event == no_index) continue;
      record->event_sync = static_cast<std::uint32_t>(record - result.event_records.begin()) + 1;
      latest[{record->pid, record->event}] = record->event_sync;
    }
    const auto found = latest.find({wait.pid, wait.event});
    if (wait.event != no_index && found != latest.end()) wait.event_sync = found->second;
  }
}

}  // namespace

ReadSynchronization read_synchronization(schema::Database& database, const Names& names,
                                         const ReadCalls& calls) {
  ReadSynchronization result;
  read_synchronizations(database, names, calls, result);
  read_event_records(database, names, calls, result);
  // Traces of lapscope need no new numbers: only event records and waits that were captured into a
  // graph have no number. Exports are numbered here if no wait has a number, or if no event record
  // has one.
  const auto any_has_number = [](const auto& rows) {
    return std::any_of(rows.begin(), rows.end(),
                       [](const auto& row) { return row.event_sync != 0; });
  };
  if (has_table<schema::CaptureRow>(database)) return result;
  if (!any_has_number(result.synchronizations) || !any_has_number(result.event_records)) {
    number_events(calls.calls, result);
  }
  return result;
}

}  // namespace lapscope::analyzer
