#include "readers/read_trace.h"

#include <algorithm>
#include <future>
#include <tuple>
#include <utility>

#include "analyzer/model/call_costs.h"
#include "analyzer/model/evidence.h"
#include "analyzer/model/limits.h"
#include "collector/schema/tables.h"
#include "readers/laws/check_laws.h"
#include "readers/open_trace.h"
#include "readers/tables/holes.h"
#include "readers/tables/impossible_ops.h"
#include "readers/tables/provenance.h"
#include "readers/tables/read_host.h"
#include "readers/tables/read_ops.h"
#include "readers/tables/read_target.h"
#include "readers/tables/reading_health.h"
#include "readers/tables/scan.h"

namespace lapscope::analyzer {
namespace {

using schema::Database;

Extent read_facts(OpenedTrace& opened, const std::filesystem::path& path, Trace& trace) {
  trace.facts.file = path.string();  // named by errors of begin(), which may replace all facts
  const Extent extent = opened.format->begin(opened.database, trace);
  trace.facts.file = path.string();
  trace.facts.format = opened.format_name;
  trace.facts.knows = opened.format->knows;
  trace.facts.lacks = opened.format->lacks;
  return extent;
}

void expect_rows(Database& database, Progress* progress) {
  if (!progress) return;
  progress->expected +=
      rows_at_most<schema::ApiCallRow>(database) + rows_at_most<schema::KernelRow>(database) +
      rows_at_most<schema::MemcpyRow>(database) + rows_at_most<schema::MemsetRow>(database);
}

// Reads calls and ops. Uses two threads if the file can be opened twice.
LargeTables read_large_tables(OpenedTrace& opened, const std::filesystem::path& path,
                              const ReadNames& names, std::optional<Ns> recording_end,
                              Progress* progress) {
  if (!opened.is_still) {
    ReadHost host = read_host(opened.database, names.names, recording_end, progress);
    return {std::move(host), read_ops(opened.database, names, progress)};
  }
  auto host = std::async(std::launch::async, [&] {
    Database second = open_still(path);
    ReadHost read = read_host(second, names.names, recording_end, progress);
    return std::pair(std::move(read), second.impossible());
  });
  ReadOps ops = read_ops(opened.database, names, progress);
  auto [read, impossible] = host.get();
  for (const Database::Impossible& one : impossible) opened.database.note_impossible(one);
  return {std::move(read), std::move(ops)};
}

void take_migrations(ReadOps& ops, Trace& trace) {
  trace.migrations = std::move(ops.migrations);
  std::ranges::sort(trace.migrations, {}, [](const Migration& one) {
    return std::tie(one.interval.start, one.interval.end, one.device, one.bytes);
  });
}

// Moves the host's data into the trace. Stacks are read later, after the devices are made.
void take_host(ReadHost& host, Trace& trace) {
  for (std::string& name : host.own_names) trace.names.add(std::move(name));
  trace.calls = std::move(host.calls.calls);
  trace.synchronizations = std::move(host.synchronization.synchronizations);
  trace.event_records = std::move(host.synchronization.event_records);
  trace.call_streams = std::move(host.call_streams);
  trace.topology = std::move(host.topology);
  trace.overheads = std::move(host.overheads);
  trace.ranges = std::move(host.ranges);
  ReadMessages read = read_messages(std::move(host.communication), trace.calls, trace.names);
  trace.messages = std::move(read.messages);
  trace.communicators = std::move(read.communicators);
}

// Marks an op as a graph op if a graph launch issued it, even if the trace has no graph nodes.
// Graph ops have no order in their stream.
void mark_ops_of_graphs(Trace& trace) {
  for (Device& device : trace.devices) {
    Ops& ops = device.ops;
    for (std::size_t op = 0; op < ops.size(); ++op) {
      const std::uint32_t call = ops.issue[op];
      if (call == no_index || trace.calls.kind[call] != CallKind::graph_launch) continue;
      ops.memory[op] |= in_graph;
    }
  }
}

Trace read(OpenedTrace opened, const std::filesystem::path& path, Progress* progress,
           RowLimit limit, const std::vector<std::string>& communication) {
  const TraceFormat& format = *opened.format;
  Database& database = opened.database;
  check_rows(database, path, limit);
  Trace trace;
  const Extent extent = read_facts(opened, path, trace);
  if (opened.unread_log) trace.health.push_back(*opened.unread_log);
  const Capabilities knows = trace.facts.knows;

  expect_rows(database, progress);
  ReadNames names = read_names(database, path, limit, communication);
  const std::optional<Ns> recording_end = format.end_of_recording(database);
  LargeTables tables = read_large_tables(opened, path, names, recording_end, progress);
  trace.names = std::move(names.names);
  if (progress) progress->begin(1, 0);

  take_migrations(tables.ops, trace);
  ReadingDefects defects;
  std::vector<std::uint32_t> excused = tables.host.calls.issues.ambiguous();
  defects.ambiguous_calls = static_cast<std::int64_t>(excused.size());
  DealtOps dealt = deal(tables.ops, std::move(tables.host.calls.issues));
  defects.unissued_ops = dealt.unissued;
  excused.insert(excused.end(), dealt.skipped.begin(), dealt.skipped.end());
  take_host(tables.host, trace);
  trace.contexts = format.contexts(database);
  make_devices(std::move(dealt), format.gpus(database), database, trace, defects);

  if (!knows.graph_nodes) mark_ops_of_graphs(trace);
  leave_out_impossible_ops(recording_end, may_launch_dependents(database), trace);
  for (const ImpossibleOp& op : trace.impossible_ops) {
    if (op.call != no_index) excused.push_back(op.call);
  }
  if (extent.stretch) {
    for (Device& device : trace.devices) clip(device.ops, *extent.stretch);
  }
  check_sums(trace);
  read_stacks(database, tables.host.calls.stacks, read_host_samples(database), trace);
  give_forward_lines(trace, std::move(tables.host.operators));

  read_provenance(database, trace);
  if (format.add_to_streams) format.add_to_streams(database, trace);
  if (knows.lost_records) {
    defects.counts_vouch_for_transfers =
        add_lost_records(database, tables, extent.stretch && extent.stretch->length() == 0, trace);
  }
  // If the trace covers only part of a run, a record without its call does not show that records
  // were lost, because the call can lie before the recorded part.
  leave_out_incomplete_kinds(trace,
                             tables.host.synchronization.lost_calls > 0 ||
                                 (extent.is_whole && tables.host.synchronization.without_call > 0));
  leave_out_unsteady_costs(trace);
  trace.facts.without_cause = kinds_without_cause(trace);
  read_cpu_times(database, trace);
  if (format.add_to_host) format.add_to_host(database, trace);

  add_failed_calls(database, trace);
  defects.holes = find_holes(database, trace, extent, excused);
  add_reading_health(tables, defects, trace);
  add_missing_names(database, trace);
  add_managed_memory(database, trace);
  if (!knows.empty_tables) add_missing_tables(database, trace);
  const bool obeys_laws = format.obeys_laws && is_recording(database);
  if (obeys_laws) {
    add_broken_laws(
        {database, tables, trace, extent, defects.unissued_ops, defects.ambiguous_calls},
        trace.health);
  }
  add_impossible_values(database.impossible(), obeys_laws, trace.health);
  return trace;
}

// Calls f. Throws UnreadableTrace instead of errors of SQLite and of the file system.
template <class F>
Trace or_unreadable(const std::filesystem::path& path, F&& f) {
  try {
    return f();
  } catch (const schema::MissingColumn& error) {
    throw UnreadableTrace("'" + path.string() + "' cannot be analyzed: its " + error.what() + ".");
  } catch (const schema::SqliteError& error) {
    if (schema::is_too_big(error)) {
      throw UnreadableTrace("'" + path.string() + "' cannot be judged: a row of it has more than " +
                            std::to_string(limits::row_bytes) + " bytes.");
    }
    throw UnreadableTrace("'" + path.string() + "' cannot be read: " + error.what() +
                          ". Copy or record it again.");
  } catch (const std::filesystem::filesystem_error& error) {
    throw UnreadableTrace("'" + path.string() + "' cannot be read: " + error.code().message() +
                          ".");
  }
}

}  // namespace

Trace read_trace(const std::filesystem::path& path, Progress* progress, RowLimit limit,
                 const std::vector<std::string>& communication) {
  return or_unreadable(
      path, [&] { return read(open_trace(path), path, progress, limit, communication); });
}

Trace read_trace(Database database, const std::filesystem::path& path, Progress* progress,
                 RowLimit limit, const std::vector<std::string>& communication) {
  return or_unreadable(path, [&] {
    database.limit_rows(limits::row_bytes);
    return read(opened_trace(std::move(database), path, false), path, progress, limit,
                communication);
  });
}

}  // namespace lapscope::analyzer
