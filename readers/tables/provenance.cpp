#include "readers/tables/provenance.h"

#include <algorithm>

#include "analyzer/model/call_costs.h"
#include "analyzer/model/evidence.h"
#include "analyzer/model/harmless_text.h"
#include "analyzer/model/trace.h"
#include "collector/schema/capture_facts.h"
#include "collector/schema/tables.h"
#include "readers/tables/scan.h"

namespace lapscope::analyzer {
namespace {

std::vector<std::string> asked_for(schema::Database& database) {
  using schema::RecordsRow;
  std::vector<std::string> kinds;
  using Columns = schema::Selection<COLUMNS(RecordsRow, name, enableResult)>;
  const auto take = [&kinds](RecordsRow& row) {
    if (row.enableResult == 0) kinds.push_back(std::move(row.name));
  };
  for_each_row<Columns>(database, take, "1, 2");
  return kinds;
}

// Returns the kinds of records whose tables exist. Runtime and driver calls share one table.
std::vector<std::string> with_tables(schema::Database& database) {
  std::vector<std::string> kinds;
  const auto add = [&kinds](bool has, std::initializer_list<const char*> names) {
    if (has) kinds.insert(kinds.end(), names.begin(), names.end());
  };
  add(has_table<schema::ContextRow>(database), {"CONTEXT"});
  add(has_table<schema::CudaEventRow>(database), {"CUDA_EVENT"});
  add(has_table<schema::GpuRow>(database), {"DEVICE"});
  add(has_table<schema::ApiCallRow>(database), {"DRIVER", "RUNTIME"});
  add(has_table<schema::OverheadRow>(database), {"OVERHEAD"});
  add(has_table<schema::StreamRow>(database), {"STREAM"});
  add(has_table<schema::SynchronizationRow>(database), {"SYNCHRONIZATION"});
  return kinds;
}

std::vector<RunTime> read_runs(schema::Database& database) {
  using schema::RunRow;
  std::vector<RunTime> runs;
  using Columns = schema::Selection<COLUMNS(RunRow, run, isRecorded, exitStatus, range, count, ns)>;
  const auto take = [&runs](RunRow& row) {
    if (row.count < 0 || row.ns < 0) return;
    if (row.range) row.range = kept_name(std::move(*row.range));  // shortened like Trace::names
    runs.push_back(
        {row.run, row.isRecorded != 0, row.exitStatus, std::move(row.range), row.count, row.ns});
  };
  for_each_row<Columns>(database, take, "1, 4");
  return runs;
}

UnrecordedIterations read_unrecorded(schema::Database& database) {
  using schema::UnrecordedIterationRow;
  UnrecordedIterations iterations;
  using Columns = schema::Selection<COLUMNS(UnrecordedIterationRow, iteration, range, ns)>;
  for_each_row<Columns>(
      database,
      [&iterations](UnrecordedIterationRow& row) {
        if (row.ns < 0) return;
        iterations.range = kept_name(std::move(row.range));  // shortened like Trace::names
        iterations.ns.push_back(row.ns);
      },
      "1");
  return iterations;
}

CallCosts read_call_costs(schema::Database& database) {
  using schema::CallCostRow;
  CallCosts costs;
  using Columns =
      schema::Selection<COLUMNS(CallCostRow, kind, bareNs, recordedNs, spreadNs, created)>;
  for_each_row<Columns>(database, [&costs](CallCostRow& row) {
    if (!believable(row.bareNs, row.recordedNs)) row.recordedNs = row.bareNs;  // no cost
    // A timestamp has only these characters. They need no escaping in HTML.
    if (row.created.find_first_not_of("0123456789-:TZ") == std::string::npos) {
      costs.created = std::max(costs.created, row.created);
    }
    costs.ns.insert_or_assign(row.kind, row.recordedNs - row.bareNs);
    costs.spread_ns.insert_or_assign(std::move(row.kind), std::max<std::int64_t>(0, row.spreadNs));
  });
  return costs;
}

bool has_channels(const std::vector<Device>& devices) {
  return std::any_of(devices.begin(), devices.end(), [](const Device& device) {
    const auto& channels = device.ops.channel;
    return std::any_of(channels.begin(), channels.end(),
                       [](std::uint16_t channel) { return channel != no_channel; });
  });
}

// A table of contexts or GPUs may exist although its kind of record was not recorded: contexts may
// come from other tables, and the rows of GPUs may lack their limits. So contexts count as recorded
// only if a null stream is known, and GPUs only if their limits are known.
void note_what_is_known(Trace& trace) {
  std::vector<std::string>& recorded = trace.facts.recorded;
  std::erase(recorded, "CONTEXT");
  std::erase(recorded, "DEVICE");
  const auto has_null_stream = [](const CudaContext& context) {
    return context.null_stream != no_index;
  };
  if (std::any_of(trace.contexts.begin(), trace.contexts.end(), has_null_stream)) {
    recorded.emplace_back("CONTEXT");
  }
  const auto has_limits = [](const Device& device) { return device.limits.multiprocessors > 0; };
  if (std::all_of(trace.devices.begin(), trace.devices.end(), has_limits)) {
    recorded.emplace_back("DEVICE");
  }
}

// Returns the session's start in UTC ns; 0 if it is not known.
Ns session_start(schema::Database& database) {
  using schema::SessionStartRow;
  using Columns = schema::TolerantSelection<COLUMNS(SessionStartRow, utcEpochNs)>;
  Ns start = 0;
  for_each_row<Columns>(database, [&start](const SessionStartRow& row) {
    start = std::max(start, row.utcEpochNs.value_or(0));
  });
  return start;
}

// Returns the time at which the machine started, in UTC ns; 0 if it is not known. In each reading,
// CLOCK_REALTIME is read before CLOCK_BOOTTIME, and a delay between the two makes the difference
// too small. So the largest difference of all readings is the most exact one.
Ns boot_time(schema::Database& database) {
  using schema::ClockRow;
  if (!has_table<ClockRow>(database)) return 0;
  Ns latest = 0;
  for_each_row<schema::TolerantSelection<COLUMNS(ClockRow, realtime, boottime)>>(
      database, [&latest](const ClockRow& row) {
        const bool is_possible = row.boottime >= 0 && row.realtime >= row.boottime;
        if (is_possible) latest = std::max(latest, row.realtime - row.boottime);
      });
  return latest;
}

HealthRow captured_part(const schema::StretchRow& row) {
  HealthRow part{HealthKind::captured_part, 1, {row.start, row.begunBy}};
  if (row.end) part.details.insert(part.details.end(), {*row.end, row.endedBy.value_or("")});
  return part;
}

}  // namespace

Capture read_capture(schema::Database& database) {
  using schema::CaptureRow;
  Capture capture;
  using Columns = schema::Selection<COLUMNS(CaptureRow, name, value)>;
  for_each_row<Columns>(database, [&capture](const CaptureRow& row) {
    if (row.value) capture[row.name] = kept_name(*row.value, limits::kept_text_bytes);
  });
  return capture;
}

std::string fact_of(const Capture& capture, std::string_view name) {
  const auto found = capture.find(name);
  return found == capture.end() ? "" : found->second;
}

TraceFacts facts_of(const Capture& capture) {
  TraceFacts facts;
  facts.command = fact_of(capture, schema::fact::command);
  facts.created = fact_of(capture, schema::fact::created);
  facts.driver = fact_of(capture, schema::fact::driver_version);
  facts.cupti = fact_of(capture, schema::fact::cupti_version);
  facts.rank = fact_of(capture, schema::fact::rank);
  facts.ranks = std::atoi(fact_of(capture, schema::fact::world_size).c_str());
  facts.host = fact_of(capture, schema::fact::host);
  facts.processors = std::atoi(fact_of(capture, schema::fact::processors).c_str());
  return facts;
}

std::string run_identity(schema::Database& database) {
  const auto capture = read_capture(database);
  const Ns start_ns = session_start(database);
  const std::string start =
      start_ns > 0 ? std::string(session_start_words) + std::to_string(start_ns) : "";
  if (capture.count(schema::fact::pid) == 0) return start;
  std::string identity;
  for (const std::string_view fact :
       {schema::fact::session, schema::fact::host, schema::fact::pid, schema::fact::created}) {
    const auto found = capture.find(fact);
    if (found == capture.end()) continue;
    identity += (identity.empty() ? "" : "/") + found->second;
  }
  // The start of a converted trace is not used, because PyTorch's profiles of different runs can
  // have the same start.
  const bool has_own_start = capture.count(schema::fact::converted_from) == 0 && !start.empty();
  return has_own_start ? identity + ", " + start : identity;
}

std::vector<std::string> recorded_kinds(schema::Database& database, const Capabilities& knows) {
  const bool says = knows.recorded_kinds && has_table<schema::RecordsRow>(database);
  std::vector<std::string> kinds = says ? asked_for(database) : with_tables(database);
  if (!knows.driver_calls) std::erase(kinds, "DRIVER");
  return kinds;
}

std::optional<Ns> last_reading(schema::Database& database) {
  using schema::ClockRow;
  using schema::SessionStartRow;
  if (!has_table<ClockRow>(database)) return std::nullopt;
  Ns start = 0;
  for_each_row<schema::Selection<COLUMNS(SessionStartRow, utcEpochNs)>>(
      database, [&start](const SessionStartRow& row) { start = row.utcEpochNs.value_or(0); });
  Ns last = 0;
  for_each_row<schema::TolerantSelection<COLUMNS(ClockRow, realtime)>>(
      database, [&last](const ClockRow& row) { last = std::max(last, row.realtime); });
  if (start <= 0 || last < start) return std::nullopt;
  return last - start;
}

void read_provenance(schema::Database& database, Trace& trace) {
  trace.runs = read_runs(database);
  trace.unrecorded = read_unrecorded(database);
  trace.call_costs = read_call_costs(database);
  trace.facts.identity = run_identity(database);
  trace.facts.session_start = session_start(database);
  trace.facts.booted = boot_time(database);
  trace.facts.recorded = recorded_kinds(database, trace.facts.knows);
  if (!trace.facts.knows.recorded_kinds) note_what_is_known(trace);
  if (has_channels(trace.devices)) trace.facts.recorded.emplace_back(hardware_channels);
}

std::optional<Interval> read_stretch(schema::Database& database, std::vector<HealthRow>& health) {
  using schema::StretchRow;
  if (!has_table<StretchRow>(database)) return std::nullopt;
  using Columns = schema::Selection<COLUMNS(StretchRow, start, end, begunBy, endedBy)>;
  schema::Statement rows(database, Columns::sql(database) + " ORDER BY 1 LIMIT 1");
  if (!rows.step()) {
    health.push_back({HealthKind::nothing_captured, 1});
    return Interval{0, 0};
  }
  const StretchRow row = Columns::read(rows);
  health.push_back(captured_part(row));
  return Interval{row.start, std::min(row.end.value_or(latest_time), latest_time)};
}

void clip(Ops& ops, Interval stretch) {
  for (std::size_t op = 0; op < ops.size(); ++op) {
    ops.start[op] = std::clamp(ops.start[op], stretch.start, std::max(stretch.start, stretch.end));
    ops.end[op] = std::clamp(ops.end[op], ops.start[op], std::max(ops.start[op], stretch.end));
  }
}

}  // namespace lapscope::analyzer
