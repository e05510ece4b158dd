#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/model/health.h"
#include "analyzer/model/limits.h"
#include "analyzer/model/trace.h"
#include "collector/schema/export_tables.h"
#include "collector/schema/global_id.h"
#include "collector/schema/sqlite.h"
#include "collector/schema/tables.h"
#include "readers/nsys/host_records.h"
#include "readers/tables/inferred.h"
#include "readers/tables/read_target.h"
#include "readers/tables/reading_health.h"
#include "readers/tables/unreadable_trace.h"
#include "readers/trace_format.h"

namespace lapscope::analyzer {
namespace {

std::uint32_t narrow(std::optional<std::int64_t> id) {
  const bool is_one = id && 0 <= *id && *id < no_index;
  return is_one ? static_cast<std::uint32_t>(*id) : no_index;
}

auto key_of(const CudaContext& context) {
  return std::tie(context.pid, context.id, context.device, context.null_stream);
}

struct Listed {
  std::int64_t id = 0;  // row id in the table
  std::optional<std::int64_t> cuda;
  Gpu gpu;
};

constexpr std::string_view current = "TARGET_INFO_GPU";
constexpr std::string_view older = schema::export_table::cuda_gpu;

Listed listed(const nsys::Rows& rows) {
  // Returns 0 (unknown) for a value that no GPU can have.
  const auto number = [&rows](int column) {
    const std::int64_t stored = rows.integer(column).value_or(0);
    return 0 < stored && stored <= limits::gpu_quantity ? stored : 0;
  };
  Listed one;
  one.id = rows.integer(0).value_or(0);
  one.cuda = rows.integer(1);
  one.gpu.name = rows.text(2);
  one.gpu.limits = {number(3), number(4), number(5), number(6), number(7), number(8), number(9)};
  return one;
}

std::vector<Listed> list_of(schema::Database& database) {
  std::vector<Listed> list;
  const bool has_id = database.has_table(current) && database.has_column(current, "id");
  nsys::Rows rows(
      database, current,
      {has_id ? "id" : "deviceId", "cuDevice", "name", "smCount", "threadsPerWarp", "maxWarpsPerSm",
       "maxBlocksPerSm", "maxRegistersPerSm", "maxShmemPerSm", "asyncEngines"},
      "1");
  while (rows.step()) list.push_back(listed(rows));
  nsys::Rows before(
      database, older,
      {"deviceId", "deviceId", "name", "numMultiprocessors", "numThreadsPerWarp",
       "maxWarpsPerMultiprocessor", "maxBlocksPerMultiprocessor", "maxRegistersPerMultiprocessor",
       "maxSharedMemoryPerMultiprocessor", "numMemcpyEngines"},
      "1");
  while (before.step()) list.push_back(listed(before));
  return list;
}

// Collects GPUs by device number. If GPUs of one device number differ, take() leaves out this
// number.
class ByDevice {
 public:
  void add(std::int64_t device, const Gpu& gpu) {
    const auto [known, is_new] = gpus_.try_emplace(device, gpu);
    if (is_new || !known->second) return;
    const bool is_same = known->second->name == gpu.name && known->second->limits == gpu.limits;
    if (!is_same) known->second.reset();
  }
  bool empty() const { return gpus_.empty(); }
  std::map<std::int64_t, Gpu> take() const {
    std::map<std::int64_t, Gpu> result;
    for (const auto& [device, gpu] : gpus_) {
      if (gpu) result.emplace(device, *gpu);
    }
    return result;
  }

 private:
  std::map<std::int64_t, std::optional<Gpu>> gpus_;
};

// Releases until 2022 use the second name.
constexpr std::array<std::string_view, 2> metadata = {"META_DATA_EXPORT",
                                                      schema::export_table::export_meta_data};

std::string fact(schema::Database& database, std::string_view name) {
  for (const std::string_view table : metadata) {
    nsys::Rows rows(database, table, {"name", "value"});
    while (rows.step()) {
      if (rows.text(0) == name) return rows.text(1);
    }
  }
  return "";
}

// The beginnings of messages of Nsight Systems.
struct Known {
  std::string_view begins;
  HealthKind kind;
};
constexpr Known known_sentences[] = {
    {"Not all CUDA events might have been collected", HealthKind::cuda_events_missing},
    {"Not all NVTX events might have been collected", HealthKind::nvtx_events_missing},
    {"No CUDA events collected", HealthKind::no_cuda_events},
};

bool is_about_cuda(const std::string& text) {
  constexpr std::array words = {"CUDA", "CUPTI", "Unified Memory"};
  return std::any_of(words.begin(), words.end(),
                     [&text](const char* word) { return text.find(word) != std::string::npos; });
}

// Returns the first sentence of a message without its full stop.
std::string first_sentence(const std::string& text) {
  std::string first = text.substr(0, text.find('\n'));
  for (std::size_t at = first.find('.'); at != std::string::npos; at = first.find('.', at + 1)) {
    const bool ends = at + 1 == first.size() || first[at + 1] == ' ' ||
                      (first[at + 1] >= 'A' && first[at + 1] <= 'Z');
    if (!ends) continue;
    first.resize(at);
    break;
  }
  return first;
}

// Returns the contexts of an export from before 2024, ordered by process and id. Such an export has
// a table of null streams instead of a table of contexts.
std::vector<CudaContext> read_null_streams(schema::Database& database) {
  std::vector<CudaContext> contexts;
  nsys::Rows rows(database, schema::export_table::null_stream,
                  {"processId", "contextId", "deviceId", "streamId"});
  while (rows.step()) {
    contexts.push_back({static_cast<std::uint32_t>(rows.integer(0).value_or(0)),
                        narrow(rows.integer(1)), rows.integer(2).value_or(0),
                        narrow(rows.integer(3))});
  }
  std::sort(contexts.begin(), contexts.end(),
            [](const CudaContext& a, const CudaContext& b) { return key_of(a) < key_of(b); });
  return contexts;
}

// Marks the legacy default streams for exports before 2022, which do not record the kind of a
// stream.
void name_null_streams(Trace& trace) {
  for (Device& device : trace.devices) {
    for (Stream& stream : device.streams) {
      if (stream.kind != StreamKind::unknown) continue;
      for (const CudaContext& context : trace.contexts) {
        if (context.pid != stream.pid || context.null_stream != stream.id) continue;
        stream.kind = StreamKind::legacy_default;
        stream.context = context.id;
      }
    }
  }
}

// Returns the GPUs of an export by CUDA device number. Ops refer to a GPU by this number, but the
// table of GPUs has another number, the id. The column cuDevice, or the table
// TARGET_INFO_CUDA_DEVICE, has the device number for each id:
//
//   TARGET_INFO_GPU  id 0, cuDevice 1    a kernel of device 1 ran on the GPU with id 0
//                    id 1, cuDevice 0
//
// Before 2021.3 the table is TARGET_INFO_CUDA_GPU, with other column names. If several processes
// assign one device number to different models of GPU, ListedGpus::by_device has no entry for this
// number.
ListedGpus listed_gpus(schema::Database& database) {
  const std::vector<Listed> list = list_of(database);
  ListedGpus result;
  result.is_any = !list.empty();
  ByDevice gpus;
  nsys::Rows numbers(database, "TARGET_INFO_CUDA_DEVICE", {"gpuId", "cudaId", "pid"});
  while (numbers.step()) {
    const auto id = numbers.integer(0);
    const auto device = numbers.integer(1);
    const auto pid = numbers.integer(2);
    for (const Listed& one : list) {
      if (!id || !device || one.id != *id) continue;
      gpus.add(*device, one.gpu);
      if (!pid) continue;
      // Ops have only the lower 24 bits of their process id.
      const auto of_ops = schema::pid_of(schema::global_pid(static_cast<std::uint32_t>(*pid)));
      result.by_process[{of_ops, *device}] = {*id, one.gpu};
    }
  }
  if (gpus.empty()) {
    for (const Listed& one : list) gpus.add(one.cuda.value_or(one.id), one.gpu);
  }
  result.by_device = gpus.take();
  return result;
}

// Returns whether a database is an export of Nsight Systems. The run need not have used CUDA.
bool is_export(schema::Database& database) {
  if (!database.has_table("StringIds")) return false;
  constexpr std::array<std::string_view, 6> tables = {
      "CUPTI_ACTIVITY_KIND_KERNEL",     "CUPTI_ACTIVITY_KIND_MEMCPY",
      "CUPTI_ACTIVITY_KIND_MEMSET",     "CUPTI_ACTIVITY_KIND_RUNTIME",
      "TARGET_INFO_SESSION_START_TIME", schema::export_table::analysis_details};
  const auto has = [&database](std::string_view table) { return database.has_table(table); };
  return std::any_of(tables.begin(), tables.end(), has) ||
         std::any_of(metadata.begin(), metadata.end(), has);
}

// schema_version() returns the version of the export's schema, such as "3.24.14". product_version()
// returns the version of Nsight Systems, such as "2026.1.1.204". Each returns an empty text if the
// export does not state the version.
std::string schema_version(schema::Database& database) {
  return fact(database, "EXPORT_SCHEMA_VERSION");
}

std::string product_version(schema::Database& database) {
  return fact(database, "EXPORT_PRODUCT_VERSION");
}

// Adds the errors and warnings of Nsight Systems about the recording of CUDA and NVTX.
void add_diagnostics(schema::Database& database, std::vector<HealthRow>& health) {
  constexpr std::int64_t warning = 2;  // ENUM_DIAGNOSTIC_SEVERITY_LEVEL
  constexpr std::int64_t error = 3;
  std::map<std::string, std::int64_t> said;  // number of messages, by text
  nsys::Rows rows(database, schema::export_table::diagnostic_event, {"severity", "text"});
  while (rows.step()) {
    const auto severity = rows.integer(0);
    if (severity == warning || severity == error) ++said[first_sentence(rows.text(1))];
  }
  for (const auto& [text, count] : said) {
    const auto known =
        std::find_if(std::begin(known_sentences), std::end(known_sentences),
                     [&text = text](const Known& one) { return text.starts_with(one.begins); });
    if (known != std::end(known_sentences)) {
      health.push_back({known->kind, count, {text}});
    } else if (is_about_cuda(text)) {
      health.push_back({HealthKind::export_diagnostic, count, {text}});
    }
  }
}

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
  if (!is_export(database)) return std::nullopt;
  return schema_version(database);
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
  const std::string release = product_version(database);
  if (!release.empty()) trace.facts.recorder = "Nsight Systems " + release;
  add_diagnostics(database, trace.health);
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
  if (contexts.empty()) contexts = read_null_streams(database);
  if (contexts.empty()) contexts = contexts_of_ops(database);
  return contexts;
}

// Adds what some exports do not record: which streams are legacy default streams, and the contexts
// of streams.
void add_to_streams(Database& database, Trace& trace) {
  name_null_streams(trace);
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
                                 .gpus = listed_gpus,
                                 .contexts = contexts,
                                 .add_to_streams = add_to_streams,
                                 .add_to_host = add_to_host};

}  // namespace lapscope::analyzer
