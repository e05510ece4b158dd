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
  std::int64_t first;  // cuptiGetVersion of the first release that has it
  std::int64_t fixed;  // and of the first that has it no more
  Severity severity;
  const char* what;
};

// From the release notes of 12.3 and 13.3.
constexpr Defect known_defects[] = {
    {0, 21, Severity::info,
     "lazy loading is not in it: what the first launch of a kernel waits for is unknown"},
    {130200, 130300, Severity::warning,
     "it slows calls down that are repeated often: host times may be longer than without"},
};

}  // namespace

void add_known_defects(std::int64_t cupti_version, std::vector<HealthRow>& health) {
  for (const Defect& defect : known_defects) {
    if (cupti_version < defect.first || defect.fixed <= cupti_version) continue;
    health.push_back(
        {"cupti-defect", defect.severity, 1,
         "CUPTI " + std::to_string(cupti_version) + " has a known defect: " + defect.what + ".",
         "Record with the libcupti of a newer CUDA (record --cupti)."});
  }
}

namespace {

// "1 op was", "2 ops were"
std::string counted(std::int64_t count, const std::string& noun, const std::string& one,
                    const std::string& many) {
  const std::string plural = noun.ends_with("ch") ? "es " : "s ";
  return std::to_string(count) + " " + noun + (count == 1 ? " " + one : plural + many);
}

// A ratio with one decimal, rounded.
std::string tenths(std::int64_t numerator, std::int64_t denominator) {
  const std::int64_t tenths = (numerator * 10 + denominator / 2) / denominator;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
}

void add_holes(const ReadingDefects& defects, std::vector<HealthRow>& health) {
  const Holes& holes = defects.holes;
  const std::string remedy =
      "Record again, a shorter part of the program or with a newer CUDA toolkit.";
  if (holes.launches > 0) {
    health.push_back({"orphan-launches", Severity::error, holes.launches,
                      counted(holes.launches, "launch", "has", "have") +
                          " no kernel in the trace, though nothing failed: records of the GPU were "
                          "lost, and what ran is in no figure.",
                      remedy});
  }
  if (holes.graphs > 0) {
    health.push_back({"orphan-graphs", Severity::error, holes.graphs,
                      counted(holes.graphs, "graph launch", "lacks", "lack") +
                          " ops that the graph has: records of the GPU were lost, and what ran is "
                          "in no figure.",
                      remedy});
  }
  if (holes.transfers == 0) return;
  // CUPTI has no record of a copy of no bytes, and no call tells how many.
  const double share =
      static_cast<double>(holes.transfers) / static_cast<double>(holes.all_transfers);
  if (defects.counts_vouch_for_transfers && share <= assumed::hardly_any) {
    health.push_back({"empty-copies", Severity::info, holes.transfers,
                      counted(holes.transfers, "copy or memset call", "has", "have") +
                          " no op in the trace, and as many records are there as came: they were "
                          "of no bytes, or CUPTI lost their records without counting them.",
                      ""});
    return;
  }
  health.push_back({"orphan-copies", Severity::error, holes.transfers,
                    counted(holes.transfers, "copy or memset call", "has", "have") +
                        " no op in the trace, though nothing failed: records of the GPU were lost, "
                        "or they were of no bytes; the trace does not show which.",
                    remedy + " Leave copies of no bytes out of the program."});
}

// "CUPTI_ACTIVITY_KIND_KERNEL 3, CUPTI_ACTIVITY_KIND_MEMSET 1"
std::string by_table(const ReadOps::Rows& rows) {
  std::string list;
  const auto add = [&list](std::string_view table, std::int64_t count) {
    if (count == 0) return;
    list += (list.empty() ? "" : ", ") + std::string(table) + " " + std::to_string(count);
  };
  add(schema::describe<schema::KernelRow>.name, rows.kernels);
  add(schema::describe<schema::MemcpyRow>.name, rows.copies);
  add(schema::describe<schema::MemsetRow>.name, rows.memsets);
  return list;
}

void add_row_defects(const LargeTables& tables, const ReadingDefects& defects, std::size_t calls,
                     std::vector<HealthRow>& health) {
  const auto& [host, ops] = tables;
  const auto add = [&health](const char* code, Severity severity, std::int64_t count,
                             const std::string& message, const std::string& remedy) {
    if (count > 0) health.push_back({code, severity, count, message, remedy});
  };
  const std::string copy_again =
      "Copy the trace again from where it was recorded, or record again.";
  const std::string calls_table(schema::describe<schema::ApiCallRow>.name);
  const std::int64_t invalid = ops.invalid.sum();
  add("invalid-timestamps", Severity::error, invalid,
      std::to_string(invalid) +
          " ops have lost or impossible times or device numbers and are left out of every figure "
          "(" +
          by_table(ops.invalid) + ").",
      "Record a shorter part of the program, or with a newer CUDA toolkit.");
  const std::int64_t without = ops.without_stream.sum();
  add("invalid-ids", Severity::error, without,
      counted(without, "op", "has", "have") +
          " a stream, correlation id or process that is none, and no part in any figure (" +
          by_table(ops.without_stream) + ").",
      copy_again);
  add("invalid-ids", Severity::error, host.calls.without_thread,
      counted(host.calls.without_thread, "row", "has", "have") +
          " a thread or correlation id that is none, and no part in any answer (" + calls_table +
          ").",
      copy_again);
  add("impossible-times", Severity::error, host.calls.impossible,
      counted(host.calls.impossible, "row", "of", "of") + " " + calls_table +
          " cannot be: calls end after the recording, or are at odds with others of their thread. "
          "What these issued and waited for is not known.",
      copy_again);
  add("impossible-times", Severity::error, host.late_ranges,
      counted(host.late_ranges, "row", "of", "of") + " " +
          std::string(schema::describe<schema::NvtxRow>.name) +
          " cannot be: ranges end after the recording. What belongs to them is not known.",
      copy_again);
  add("unfinished-ops", Severity::warning, ops.unfinished,
      counted(ops.unfinished, "op", "has", "have") +
          " a start and no end, and no part in any figure: the recording ended first.",
      "Let the program wait for the device before it ends.");
  add("unissued-ops", Severity::info, calls > 0 ? defects.unissued_ops : 0,
      "The calls that issued " + std::to_string(defects.unissued_ops) +
          " ops are not in the trace: gaps before these are unexplained, and no NVTX range has "
          "them.",
      "");
  add_holes(defects, health);
  add("unplaced-synchronizations", Severity::info,
      calls > 0 ? host.synchronization.without_call : 0,
      "The calls of " +
          counted(host.synchronization.without_call, "synchronization or event record", "is",
                  "are") +
          " not in the trace: what waited for an event may not be seen.",
      "");
  add("duplicate-correlation-ids", Severity::warning, defects.ambiguous_calls,
      counted(defects.ambiguous_calls, "call", "shares", "share") +
          " a correlation id with another one: which of them issued an op is not known, and none "
          "is taken for it.",
      "");
  add("invalid-host-times", Severity::warning, host.invalid,
      std::to_string(host.invalid) +
          " calls, ranges or overheads of the host have impossible times and are left out: causes "
          "of gaps may be missing.",
      "");
}

void add_processes(const Trace& trace, std::vector<HealthRow>& health) {
  std::set<std::uint32_t> pids;
  for (const Device& device : trace.devices) {
    for (const Stream& stream : device.streams) pids.insert(stream.pid);
  }
  if (pids.size() < 2) return;
  health.push_back({"several-processes", Severity::info, static_cast<std::int64_t>(pids.size()),
                    std::to_string(pids.size()) +
                        " processes are in this file. A device's figures are about all of them; "
                        "streams and calls are identified by process.",
                    ""});
}

// How long tracing itself held up at least one of the program's threads while the GPU was in use:
// the program without a collector is that much quicker, at most.
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
  const std::int64_t ns = IntervalSet::union_of(std::move(held)).length();
  if (ns == 0) return;
  const double share = static_cast<double>(ns) / static_cast<double>(window.length());
  if (share < assumed::noteworthy) return;
  health.push_back({"tracing-overhead",
                    share < assumed::most_unaccounted ? Severity::info : Severity::warning, 1,
                    "CUPTI held the program's threads up for " + tenths(ns, 1'000'000) + " ms of " +
                        tenths(window.length(), 1'000'000) + " ms (" +
                        tenths(ns * 100, window.length()) + " %), besides what every record costs.",
                    "Evaluate a range after the first iterations, or leave kinds out (--no-...)."});
}

void add_unknown_devices(const ReadingDefects& defects, std::vector<HealthRow>& health) {
  if (!defects.gpus_are_listed) return;
  for (const std::int64_t device : defects.unknown_devices) {
    health.push_back({"unknown-device", Severity::warning, 1,
                      "There are ops on device " + std::to_string(device) +
                          ", which the trace's list of GPUs does not have.",
                      ""});
  }
}

template <class Row>
void add_absent(schema::Database& database, const char* consequence,
                std::vector<HealthRow>& health) {
  if (has_table<Row>(database)) return;
  health.push_back({"missing-table", Severity::info, 1,
                    "The trace has no table " + std::string(schema::describe<Row>.name) + ": " +
                        consequence + ".",
                    ""});
}

}  // namespace

void add_reading_health(const LargeTables& tables, const ReadingDefects& defects, Trace& trace) {
  add_row_defects(tables, defects, trace.calls.size(), trace.health);
  add_processes(trace, trace.health);
  add_tracing_overhead(trace, trace.health);
  add_unknown_devices(defects, trace.health);
}

namespace {

// Rows whose id of a name is in the trace, and the name is not.
template <class Row>
std::int64_t rows_without_name(schema::Database& database, const std::string& column) {
  if (!has_table<Row>(database)) return 0;
  const std::string known =
      has_table<schema::StringRow>(database) ? "SELECT id FROM StringIds" : "";
  return database
      .query_int64("SELECT count(*) FROM " + std::string(schema::describe<Row>.name) + " WHERE " +
                   column + " > 0 AND " + column + " NOT IN (" + known + ")")
      .value_or(0);
}

}  // namespace

void add_missing_names(schema::Database& database, Trace& trace) {
  const auto has_nameless = [](const std::vector<std::uint32_t>& names) {
    const std::uint32_t unknown = 0;  // Names::index_of() of an id without a text
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
  trace.health.push_back({"names-missing", Severity::error, kernels + calls,
                          "StringIds lacks the names of " + std::to_string(kernels) +
                              " kernels and " + std::to_string(calls) +
                              " CUDA calls: rows were lost, and what these did is unknown.",
                          "Record or export the run again."});
}

void add_missing_tables(schema::Database& database, Trace& trace) {
  if (trace.devices.empty()) return;
  add_absent<schema::ApiCallRow>(
      database, "gaps are not explained, and no NVTX range or iteration has ops", trace.health);
  add_absent<schema::StreamRow>(database, "which streams are blocking is not known", trace.health);
  const auto& recorded = trace.facts.recorded;
  if (std::find(recorded.begin(), recorded.end(), "DEVICE") != recorded.end()) return;
  trace.health.push_back(
      {"missing-table", Severity::info, 1,
       "The export does not tell how many blocks the GPU runs at once (" +
           std::string(schema::describe<schema::GpuRow>.name) +
           "): whether kernels have room beside each other is unknown, and overlap_efficiency "
           "takes "
           "the compute engine's busy time for what they need at least.",
       "Export the report again with all its tables, or record with `lapscope record`."});
}

void add_untraced_graphs(schema::Database& database, const std::string& remedy,
                         std::vector<HealthRow>& health) {
  constexpr std::string_view graphs = schema::describe<schema::GraphTraceRow>.name;
  if (!database.has_table(graphs)) return;
  const auto launches =
      database.query_int64("SELECT count(*) FROM " + std::string(graphs)).value_or(0);
  if (launches == 0) return;
  health.push_back(
      {"graphs-not-traced", Severity::error, launches,
       "The kernels and copies inside " + std::to_string(launches) +
           " CUDA graph launches were not traced. Each launch counts as one kernel that "
           "lasts as long as the graph did, so that what overlaps inside is not known.",
       remedy});
}

}  // namespace lapscope::analyzer
