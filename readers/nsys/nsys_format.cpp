#include "analyzer/intervals/units.h"
#include "collector/schema/export_tables.h"
#include "collector/schema/tables.h"
#include "readers/nsys/export_facts.h"
#include "readers/nsys/host_records.h"
#include "readers/tables/inferred.h"
#include "readers/tables/reading_health.h"
#include "readers/tables/unreadable_trace.h"
#include "readers/trace_format.h"

namespace lapscope::analyzer {
namespace {

namespace fs = std::filesystem;
using schema::Database;

Likeness likeness(const fs::path& file) {
  const bool is_report = file.extension() == ".nsys-rep" || file.extension() == ".qdrep";
  return is_report ? Likeness::certain : Likeness::none;
}

std::vector<std::string> export_command(const fs::path& report, const fs::path& database) {
  return {"nsys", "export", "--type", "sqlite", "-o", database, report};
}

std::optional<std::string> version_of(Database& database) {
  if (!nsys::is_export(database)) return std::nullopt;
  return nsys::schema_version(database);
}

bool has_moved_times(Database& database) {
  if (!database.has_table("META_DATA_EXPORT")) return false;
  return database
             .query_int64(
                 "SELECT count(*) FROM META_DATA_EXPORT WHERE "
                 "name = 'EXPORT_PARAM_TIME_NORMALIZE' AND value <> 'false' OR "
                 "name LIKE 'EXPORT_%_TIME_SHIFT' AND value <> '0'")
             .value_or(0) > 0;
}

// Throws if the export's times were moved out of the session, for example to the time of day.
void check_moved_times(Database& database, const std::string& file) {
  if (!has_moved_times(database)) return;
  for (const std::string_view table :
       {schema::describe<schema::ApiCallRow>.name, schema::describe<schema::KernelRow>.name,
        schema::describe<schema::MemcpyRow>.name, schema::describe<schema::MemsetRow>.name}) {
    if (!database.has_table(table)) continue;
    const auto outside =
        database.query_int64("SELECT count(*) FROM " + std::string(table) +
                             " WHERE start < 0 OR start > " + std::to_string(latest_time));
    if (outside.value_or(0) == 0) continue;
    throw UnreadableTrace(
        "'" + file +
        "' cannot be analyzed: its times were moved out of the session. Export the report again "
        "without --ts-normalize and --ts-shift.");
  }
}

Extent begin(Database& database, Trace& trace) {
  check_moved_times(database, trace.facts.file);
  const std::string release = nsys::product_version(database);
  if (!release.empty()) trace.facts.recorder = "Nsight Systems " + release;
  nsys::add_diagnostics(database, trace.health);
  Extent extent;
  // By default, Nsight Systems records a graph as a whole, without its ops.
  extent.lacks_graphs =
      add_untraced_graphs(database, HealthKind::nsys_graphs_not_traced, trace.health);
  trace.health.push_back({HealthKind::no_channels, 1});
  return extent;
}

// Returns the length of the session; nothing if the export's times were moved (--ts-shift,
// --ts-normalize). Uses only the stated duration, because the stated begin and end are by a clock
// that no record uses.
std::optional<Ns> length_of_session(Database& database) {
  constexpr std::string_view details = schema::export_table::analysis_details;
  if (!database.has_table(details) || !database.has_column(details, "duration") ||
      has_moved_times(database)) {
    return std::nullopt;
  }
  const auto length = database.query_int64(
      "SELECT max(duration) FROM ANALYSIS_DETAILS WHERE typeof(duration) = 'integer'");
  return length.value_or(0) > 0 ? length : std::nullopt;
}

std::vector<CudaContext> contexts(Database& database) {
  std::vector<CudaContext> contexts = read_contexts(database);
  if (contexts.empty()) contexts = nsys::read_null_streams(database);
  if (contexts.empty()) contexts = contexts_of_ops(database);
  return contexts;
}

// Adds what some exports do not record: which streams are legacy default streams, and the contexts
// of streams.
void add_to_streams(Database& database, Trace& trace) {
  nsys::name_null_streams(trace);
  place_streams(database, trace);
}

void add_to_host(Database& database, Trace& trace) {
  // Nsight Systems records overheads only since 2025.5. Without them, loads are inferred from long
  // launches.
  if (!trace.facts.has_all("OVERHEAD")) infer_loads(database, trace);
  HostRecord record(trace);
  const nsys::HostRecords records = nsys::read_host_records(database, trace, record);
  nsys::add_host_states(records, trace);
  nsys::add_host_time(records, trace, record);
}

}  // namespace

const TraceFormat nsys_format = {.name = "nsys",
                                 .recorder = "Nsight Systems",
                                 .database = "an Nsight Systems export",
                                 .knows = {.every_kind = false,
                                           .recorded_kinds = false,
                                           .lost_records = false,
                                           .empty_tables = false,
                                           .end_of_gpu = false,
                                           .graph_nodes = false,
                                           .cuda = false,
                                           .addresses = false},
                                 .lacks = {.gpu_records = HealthKind::nsys_gpu_records_lost,
                                           .page_faults = HealthKind::nsys_managed_memory,
                                           .cuda = HealthKind::nsys_cuda_not_traced},
                                 .file = {.likeness = likeness, .export_command = export_command},
                                 .version_of = version_of,
                                 .begin = begin,
                                 .end_of_recording = length_of_session,
                                 .gpus = nsys::read_gpus,
                                 .contexts = contexts,
                                 .add_to_streams = add_to_streams,
                                 .add_to_host = add_to_host};

}  // namespace lapscope::analyzer
