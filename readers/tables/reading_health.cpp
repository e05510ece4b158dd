#include "readers/tables/reading_health.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "analyzer/intervals/interval_set.h"
#include "analyzer/model/assumptions.h"
#include "collector/schema/tables.h"
#include "readers/tables/scan.h"

namespace lapscope::analyzer {
namespace {

struct Defect {
  std::int64_t first;  // first defective release (cuptiGetVersion)
  std::int64_t fixed;  // first release without the defect
  HealthKind kind;
};

// Source: the release notes of CUPTI 12.3 and 13.3.
constexpr Defect known_defects[] = {{0, 21, HealthKind::cupti_without_loads},
                                    {130200, 130300, HealthKind::cupti_slows_calls}};

}  // namespace

void add_known_defects(std::int64_t cupti_version, std::vector<HealthRow>& health) {
  for (const Defect& defect : known_defects) {
    if (cupti_version < defect.first || defect.fixed <= cupti_version) continue;
    health.push_back({defect.kind, 1, {cupti_version}});
  }
}

namespace {

void add_holes(const ReadingDefects& defects, std::vector<HealthRow>& health) {
  const Holes& holes = defects.holes;
  if (holes.launches > 0) health.push_back({HealthKind::orphan_launches, holes.launches});
  if (holes.unjoined > 0) health.push_back({HealthKind::unjoined_calls, holes.unjoined});
  if (holes.graphs > 0) health.push_back({HealthKind::orphan_graphs, holes.graphs});
  if (holes.transfers == 0) return;
  // A call without an op may have copied 0 bytes. CUPTI writes no record for such a copy, and the
  // call does not show the size. So if all received records are in the trace and few calls lack an
  // op, these calls are taken as copies of 0 bytes.
  const Share share =
      static_cast<double>(holes.transfers) / static_cast<double>(holes.all_transfers);
  const bool are_empty = defects.counts_vouch_for_transfers && share <= assumed::hardly_any;
  health.push_back(
      {are_empty ? HealthKind::empty_copies : HealthKind::orphan_copies, holes.transfers});
}

Details by_table(const ReadOps::Rows& rows) {
  Details list;
  const auto add = [&list](std::string_view table, std::int64_t count) {
    if (count != 0) list.insert(list.end(), {std::string(table), count});
  };
  add(schema::describe<schema::KernelRow>.name, rows.kernels);
  add(schema::describe<schema::MemcpyRow>.name, rows.copies);
  add(schema::describe<schema::MemsetRow>.name, rows.memsets);
  return list;
}

void add_row_defects(const LargeTables& tables, const ReadingDefects& defects, std::size_t calls,
                     std::vector<HealthRow>& health) {
  const auto& [host, ops] = tables;
  const auto add = [&health](HealthKind kind, std::int64_t count, Details details = {}) {
    if (count > 0) health.push_back({kind, count, std::move(details)});
  };
  const std::string calls_table(schema::describe<schema::ApiCallRow>.name);
  add(HealthKind::invalid_timestamps, ops.invalid.sum(), by_table(ops.invalid));
  add(HealthKind::invalid_op_ids, ops.without_stream.sum(), by_table(ops.without_stream));
  add(HealthKind::invalid_call_ids, host.calls.without_thread, {calls_table});
  add(HealthKind::impossible_calls, host.calls.impossible, {calls_table});
  add(HealthKind::impossible_ranges, host.late_ranges, {schema::table_name<schema::NvtxRow>()});
  add(HealthKind::unfinished_ops, ops.unfinished);
  add(HealthKind::unissued_ops, calls > 0 ? defects.unissued_ops : 0);
  add_holes(defects, health);
  add(HealthKind::unplaced_synchronizations, calls > 0 ? host.synchronization.without_call : 0);
  add(HealthKind::duplicate_correlation_ids, defects.ambiguous_calls);
  add(HealthKind::invalid_host_times, host.invalid);
}

void add_processes(const Trace& trace, std::vector<HealthRow>& health) {
  std::set<std::uint32_t> pids;
  for (const Device& device : trace.devices) {
    for (const Stream& stream : device.streams) pids.insert(stream.pid);
  }
  const auto count = static_cast<std::int64_t>(pids.size());
  if (count > 1) health.push_back({HealthKind::several_processes, count});
}

// Reports the time in which tracing delayed one or more threads while the GPU was in use. Without
// recording, the run would be faster by at most this time.
void add_tracing_overhead(const Trace& trace, std::vector<HealthRow>& health) {
  if (trace.devices.empty()) return;
  Interval window{latest_time, 0};
  for (const Device& device : trace.devices) {
    for (std::size_t op = 0; op < device.ops.size(); ++op) {
      window.start = std::min(window.start, device.ops.start[op]);
      window.end = std::max(window.end, device.ops.end[op]);
    }
  }
  std::vector<Interval> held;
  for (const Overhead& overhead : trace.overheads) {
    if (overhead.kind != OverheadKind::profiler) continue;
    const Interval inside{std::max(overhead.interval.start, window.start),
                          std::min(overhead.interval.end, window.end)};
    if (inside.start < inside.end) held.push_back(inside);
  }
  const Ns ns = IntervalSet::union_of(std::move(held)).length();
  if (ns == 0) return;
  const Share share = static_cast<double>(ns) / static_cast<double>(window.length());
  if (share < assumed::noteworthy) return;
  health.push_back({share < assumed::most_unaccounted ? HealthKind::tracing_overhead
                                                      : HealthKind::much_tracing_overhead,
                    1,
                    {ns, window.length()}});
}

void add_device_defects(const ReadingDefects& defects, std::vector<HealthRow>& health) {
  for (const auto& [device, gpus] : defects.shared_numbers) {
    health.push_back({HealthKind::shared_device_number, gpus, {device}});
  }
  if (!defects.gpus_are_listed) return;
  for (const std::int64_t device : defects.unknown_devices) {
    health.push_back({HealthKind::unknown_device, 1, {device}});
  }
}

template <class Row>
void add_absent(schema::Database& database, HealthKind kind, std::vector<HealthRow>& health) {
  if (has_table<Row>(database)) return;
  health.push_back({kind, 1, {schema::table_name<Row>()}});
}

}  // namespace

void add_reading_health(const LargeTables& tables, const ReadingDefects& defects, Trace& trace) {
  add_row_defects(tables, defects, trace.calls.size(), trace.health);
  add_processes(trace, trace.health);
  add_tracing_overhead(trace, trace.health);
  add_device_defects(defects, trace.health);
}

namespace {

// Returns the number of rows whose name id is not in StringIds.
template <class Row>
std::int64_t rows_without_name(schema::Database& database, const std::string& column) {
  if (!has_table<Row>(database)) return 0;
  const std::string known =
      has_table<schema::StringRow>(database) ? "SELECT id FROM StringIds" : "";
  return database
      .query_int64("SELECT count(*) FROM " + schema::table_name<Row>() + " WHERE " + column +
                   " > 0 AND " + column + " NOT IN (" + known + ")")
      .value_or(0);
}

}  // namespace

void add_missing_names(schema::Database& database, Trace& trace) {
  const auto has_nameless = [](const std::vector<std::uint32_t>& names) {
    const std::uint32_t unknown = 0;  // index of an id without a text
    return std::find(names.begin(), names.end(), unknown) != names.end();
  };
  const bool is_any_nameless =
      has_nameless(trace.calls.name) ||
      std::any_of(trace.devices.begin(), trace.devices.end(),
                  [&](const Device& device) { return has_nameless(device.ops.name); });
  if (!is_any_nameless) return;
  const std::int64_t kernels = rows_without_name<schema::KernelRow>(database, "shortName");
  const std::int64_t calls = rows_without_name<schema::ApiCallRow>(database, "nameId");
  if (kernels + calls == 0) return;
  trace.health.push_back({HealthKind::names_missing, kernels + calls, {kernels, calls}});
}

void add_missing_tables(schema::Database& database, Trace& trace) {
  if (trace.devices.empty()) return;
  add_absent<schema::ApiCallRow>(database, HealthKind::missing_calls, trace.health);
  add_absent<schema::StreamRow>(database, HealthKind::missing_streams, trace.health);
  if (trace.facts.has_all("DEVICE")) return;
  trace.health.push_back({HealthKind::missing_gpus, 1, {schema::table_name<schema::GpuRow>()}});
}

bool add_untraced_graphs(schema::Database& database, HealthKind kind,
                         std::vector<HealthRow>& health) {
  const std::int64_t launches = row_count<schema::GraphTraceRow>(database);
  if (launches > 0) health.push_back({kind, launches});
  return launches > 0;
}

}  // namespace lapscope::analyzer
