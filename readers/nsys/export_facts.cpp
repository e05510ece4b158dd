#include "readers/nsys/export_facts.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <vector>

#include "analyzer/model/limits.h"
#include "collector/schema/export_tables.h"
#include "collector/schema/global_id.h"
#include "readers/nsys/rows.h"

namespace lapscope::analyzer::nsys {
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

Listed listed(const Rows& rows) {
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
  Rows rows(
      database, current,
      {has_id ? "id" : "deviceId", "cuDevice", "name", "smCount", "threadsPerWarp", "maxWarpsPerSm",
       "maxBlocksPerSm", "maxRegistersPerSm", "maxShmemPerSm", "asyncEngines"},
      "1");
  while (rows.step()) list.push_back(listed(rows));
  Rows before(
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
    Rows rows(database, table, {"name", "value"});
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

}  // namespace

std::vector<CudaContext> read_null_streams(schema::Database& database) {
  std::vector<CudaContext> contexts;
  Rows rows(database, schema::export_table::null_stream,
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

ListedGpus read_gpus(schema::Database& database) {
  const std::vector<Listed> list = list_of(database);
  ListedGpus result;
  result.is_any = !list.empty();
  ByDevice gpus;
  Rows numbers(database, "TARGET_INFO_CUDA_DEVICE", {"gpuId", "cudaId", "pid"});
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

std::string schema_version(schema::Database& database) {
  return fact(database, "EXPORT_SCHEMA_VERSION");
}

std::string product_version(schema::Database& database) {
  return fact(database, "EXPORT_PRODUCT_VERSION");
}

void add_diagnostics(schema::Database& database, std::vector<HealthRow>& health) {
  constexpr std::int64_t warning = 2;  // ENUM_DIAGNOSTIC_SEVERITY_LEVEL
  constexpr std::int64_t error = 3;
  std::map<std::string, std::int64_t> said;  // number of messages, by text
  Rows rows(database, schema::export_table::diagnostic_event, {"severity", "text"});
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

}  // namespace lapscope::analyzer::nsys
