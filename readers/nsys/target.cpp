#include "readers/nsys/target.h"

#include <algorithm>
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
      // Ops have only the lower 24 bits of their process.
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

}  // namespace lapscope::analyzer::nsys
