#include "readers/tables/devices.h"

#include <algorithm>
#include <string>
#include <utility>

#include "analyzer/model/harmless_text.h"
#include "analyzer/model/limits.h"
#include "readers/tables/unreadable_trace.h"

namespace lapscope::analyzer {
namespace {

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
