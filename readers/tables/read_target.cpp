#include "readers/tables/read_target.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "analyzer/model/harmless_text.h"
#include "analyzer/model/limits.h"
#include "collector/schema/statements.h"
#include "collector/schema/tables.h"
#include "readers/tables/scan.h"
#include "readers/tables/unreadable_trace.h"

namespace lapscope::analyzer {
namespace {

using schema::ContextRow;
using schema::Database;
using schema::GpuRow;
using schema::LinkRow;
using schema::Selection;
using schema::StreamRow;

// The distinct rates of one device's links, in bytes per second.
struct Rates {
  std::set<std::int64_t> pcie;
  std::set<std::int64_t> nvlink_to_host;
  std::set<std::int64_t> nvlink_to_peers;
};

std::optional<std::int64_t> only_one(const std::set<std::int64_t>& rates) {
  if (rates.size() != 1) return std::nullopt;
  return *rates.begin();
}

// Returns the link rates by device id. `id_of_uuid` lists the GPUs of the trace. The result is
// empty if the trace records no links.
std::map<std::int64_t, LinkRates> read_links(
    schema::Database& database, const std::map<std::string, std::int64_t>& id_of_uuid) {
  std::map<std::int64_t, LinkRates> links;
  using Columns = schema::Selection<COLUMNS(LinkRow, kind, gpuId, uuid, peerUuid, bytesPerSecond)>;
  const auto id_of = [&](const std::string& uuid) -> std::optional<std::int64_t> {
    const auto known = id_of_uuid.find(uuid);
    if (known == id_of_uuid.end()) return std::nullopt;
    return known->second;
  };
  std::map<std::int64_t, Rates> rates;
  for_each_row<Columns>(database, [&](const LinkRow& row) {
    if (!row.bytesPerSecond || *row.bytesPerSecond <= 0) return;
    auto device = id_of(row.uuid);
    if (!device) device = row.gpuId;
    if (row.kind == "pcie" && device) {
      rates[*device].pcie.insert(*row.bytesPerSecond);
    } else if (row.kind == "nvlink" && !row.peerUuid && device) {
      rates[*device].nvlink_to_host.insert(*row.bytesPerSecond);
    } else if (row.kind == "nvlink" && row.peerUuid) {
      // One row describes the link for both of its GPUs.
      if (device) rates[*device].nvlink_to_peers.insert(*row.bytesPerSecond);
      if (const auto peer = id_of(*row.peerUuid)) {
        rates[*peer].nvlink_to_peers.insert(*row.bytesPerSecond);
      }
    }
  });
  for (const auto& [device, of_device] : rates) {
    // If an NVLink leads to the host, copies use it instead of PCI Express.
    links[device] = {
        only_one(of_device.nvlink_to_host.empty() ? of_device.pcie : of_device.nvlink_to_host),
        only_one(of_device.nvlink_to_peers)};
  }
  return links;
}

StreamKind kind_of_stream(std::int64_t flag) {  // ENUM_CUPTI_STREAM_TYPE
  switch (flag) {
    case 1:
      return StreamKind::blocking;
    case 2:
      return StreamKind::non_blocking;
    case 3:
      return StreamKind::legacy_default;
    default:
      return StreamKind::unknown;
  }
}

// Returns 0 (unknown) for an implausible quantity. The product of two results does not overflow.
std::int64_t quantity(std::optional<std::int64_t> stored) {
  const bool is_one = stored && 0 < *stored && *stored <= limits::gpu_quantity;
  return is_one ? *stored : 0;
}

// Makes a device from its ops and its recorded streams. If ops ran in a stream that was not
// recorded, adds the stream. Changes the stream indices of the ops accordingly.
Device device_of(DeviceOps dealt, Gpu gpu, std::vector<Stream> streams) {
  const auto before = [](const Stream& a, const Stream& b) {
    return a.pid != b.pid ? a.pid < b.pid : a.id < b.id;
  };
  const auto place_of = [&](const OpStream& used) {
    Stream stream;
    stream.pid = used.pid;
    stream.id = used.stream;
    return std::lower_bound(streams.begin(), streams.end(), stream, before);
  };
  for (const OpStream& used : dealt.streams) {
    const auto place = place_of(used);
    if (place != streams.end() && place->pid == used.pid && place->id == used.stream) continue;
    Stream stream;
    stream.pid = used.pid;
    stream.id = used.stream;
    streams.insert(place, stream);
  }
  std::vector<std::uint32_t> index;
  for (const OpStream& used : dealt.streams) {
    index.push_back(static_cast<std::uint32_t>(place_of(used) - streams.begin()));
  }
  for (std::uint32_t& stream : dealt.ops.stream) stream = index[stream];
  return {dealt.device,         kept_name(std::move(gpu.name)),
          std::move(dealt.ops), std::move(streams),
          gpu.limits,           gpu.links};
}

void check_counts(const DealtOps& dealt, const Trace& trace) {
  const auto check = [&trace](std::size_t count, std::size_t most, const std::string& before,
                              const std::string& what) {
    if (count <= most) return;
    throw UnreadableTrace("'" + trace.facts.file + "' cannot be judged: it has " + before +
                          "more than " + std::to_string(most) + " " + what + ".");
  };
  check(dealt.devices.size(), limits::devices, "ops on ", "devices");
  for (const DeviceOps& device : dealt.devices) {
    check(device.streams.size(), limits::streams_of_device, "ops on ",
          "streams of device " + std::to_string(device.device));
  }
  check(trace.contexts.size(), limits::contexts, "", "CUDA contexts");
}

// The GPUs that a device number stands for.
struct Numbered {
  std::map<std::int64_t, Gpu> gpus;  // by id in the list of GPUs; empty if no process is listed
  // Returns the properties that all of them have. Unknown if they differ.
  Gpu common() const {
    const Gpu& first = gpus.begin()->second;
    const bool is_one_type = std::all_of(gpus.begin(), gpus.end(), [&first](const auto& entry) {
      return entry.second.name == first.name && entry.second.limits == first.limits;
    });
    return is_one_type ? first : Gpu{};
  }
};

Numbered numbered(const DeviceOps& device, const ListedGpus& listed) {
  Numbered result;
  for (const OpStream& stream : device.streams) {
    const auto of_process = listed.by_process.find({stream.pid, device.device});
    if (of_process == listed.by_process.end()) continue;
    result.gpus.emplace(of_process->second.id, of_process->second.gpu);
  }
  return result;
}

}  // namespace

ListedGpus read_gpus(Database& database) {
  std::map<std::int64_t, Gpu> gpus;
  std::map<std::string, std::int64_t> id_of_uuid;
  using Columns =
      Selection<COLUMNS(GpuRow, id, name, smCount, threadsPerWarp, maxWarpsPerSm, maxBlocksPerSm,
                        maxRegistersPerSm, maxShmemPerSm, asyncEngines, uuid)>;
  for_each_row<Columns>(database, [&](const GpuRow& row) {
    Gpu gpu;
    gpu.name = row.name.value_or("");
    gpu.limits = {quantity(row.smCount),           quantity(row.threadsPerWarp),
                  quantity(row.maxWarpsPerSm),     quantity(row.maxBlocksPerSm),
                  quantity(row.maxRegistersPerSm), quantity(row.maxShmemPerSm),
                  quantity(row.asyncEngines)};
    if (row.uuid) id_of_uuid.emplace(*row.uuid, row.id);
    gpus.emplace(row.id, std::move(gpu));
  });
  for (const auto& [id, links] : read_links(database, id_of_uuid)) {
    if (const auto gpu = gpus.find(id); gpu != gpus.end()) gpu->second.links = links;
  }
  return {gpus, !gpus.empty()};
}

std::vector<CudaContext> read_contexts(Database& database) {
  std::vector<CudaContext> contexts;
  using Columns = Selection<COLUMNS(ContextRow, processId, contextId, deviceId, nullStreamId)>;
  for_each_row<Columns>(database, [&contexts](const ContextRow& row) {
    contexts.push_back({static_cast<std::uint32_t>(row.processId), id_of(row.contextId),
                        row.deviceId, id_of(row.nullStreamId)});
  });
  std::ranges::sort(contexts, {}, [](const CudaContext& one) {
    return std::tie(one.pid, one.id, one.device, one.null_stream);
  });
  return contexts;
}

std::map<std::int64_t, std::vector<Stream>> read_streams(Database& database,
                                                         const std::vector<CudaContext>& contexts) {
  std::map<std::int64_t, std::vector<Stream>> streams;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t> device_of_context;
  for (const CudaContext& context : contexts) {
    device_of_context[{context.pid, context.id}] = context.device;
  }
  using Columns = Selection<COLUMNS(StreamRow, processId, streamId, contextId, priority, flag)>;
  for_each_row<Columns>(database, [&](const StreamRow& row) {
    Stream stream;
    stream.pid = static_cast<std::uint32_t>(row.processId);
    stream.id = id_of(row.streamId);
    stream.context = id_of(row.contextId);
    const auto device = device_of_context.find({stream.pid, stream.context});
    if (device == device_of_context.end()) return;
    stream.kind = kind_of_stream(row.flag);
    // CUPTI reports the priority as an unsigned 32-bit value.
    stream.priority = static_cast<std::int32_t>(static_cast<std::uint32_t>(row.priority));
    streams[device->second].push_back(stream);
  });
  for (auto& [device, list] : streams) {
    std::ranges::sort(list, {}, [](const Stream& one) {
      return std::tie(one.pid, one.id, one.context, one.kind, one.priority);
    });
  }
  return streams;
}

void make_devices(DealtOps dealt, ListedGpus gpus, schema::Database& database, Trace& trace,
                  ReadingDefects& defects) {
  check_counts(dealt, trace);
  defects.gpus_are_listed = gpus.is_any;
  auto streams = read_streams(database, trace.contexts);
  for (DeviceOps& device : dealt.devices) {
    const Numbered of_processes = numbered(device, gpus);
    const auto listed = gpus.by_device.find(device.device);
    Gpu gpu;
    if (!of_processes.gpus.empty()) {
      gpu = of_processes.common();
    } else if (listed != gpus.by_device.end()) {
      gpu = std::move(listed->second);
    } else {
      defects.unknown_devices.push_back(device.device);
    }
    if (const std::size_t count = of_processes.gpus.size(); count > 1) {
      defects.shared_numbers.emplace(device.device, static_cast<std::int64_t>(count));
    }
    trace.devices.push_back(
        device_of(std::move(device), std::move(gpu), std::move(streams[device.device])));
  }
}

void check_sums(const Trace& trace) {
  for (const Device& device : trace.devices) {
    std::int64_t sum = 0;
    for (std::size_t op = 0; op < device.ops.size(); ++op) {
      if (!__builtin_add_overflow(sum, device.ops.interval(op).length(), &sum)) continue;
      throw UnreadableTrace("'" + trace.facts.file +
                            "' cannot be analyzed: the durations of the ops " + "of device " +
                            std::to_string(device.id) +
                            " add up to more than 2^63 ns. Record it again.");
    }
  }
}

}  // namespace lapscope::analyzer
