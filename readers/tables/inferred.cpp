#include "readers/tables/inferred.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/model/assumptions.h"
#include "collector/schema/global_id.h"
#include "collector/schema/tables.h"
#include "readers/tables/scan.h"

namespace lapscope::analyzer {
namespace {

using schema::KernelRow;

// For each device and op, a number that identifies the launched function. Functions with the same
// full name have the same number. If a function has no full name, its short name is used.
using Functions = std::vector<std::vector<std::uint32_t>>;

Functions functions_of(schema::Database& database, const Trace& trace) {
  Functions functions;
  for (const Device& device : trace.devices) functions.push_back(device.ops.name);
  auto next = static_cast<std::uint32_t>(trace.names.size());
  std::unordered_map<std::int64_t, std::uint32_t> numbers;  // by id of the full name
  using Columns = schema::TolerantSelection<COLUMNS(KernelRow, start, deviceId, streamId, globalPid,
                                                    demangledName, mangledName)>;
  for_each_row<Columns>(database, [&](const KernelRow& row) {
    const std::int64_t name = row.mangledName.value_or(row.demangledName);
    if (name <= 0) return;
    for (std::size_t d = 0; d < trace.devices.size(); ++d) {
      const Device& device = trace.devices[d];
      if (device.id != row.deviceId) continue;
      const auto [first, last] =
          std::equal_range(device.ops.start.begin(), device.ops.start.end(), row.start);
      for (auto at = first; at != last; ++at) {
        const auto op = static_cast<std::size_t>(at - device.ops.start.begin());
        const Stream& stream = device.streams[device.ops.stream[op]];
        const bool is_its = stream.id == id_of(row.streamId) &&
                            stream.pid == schema::pid_of(row.globalPid.value_or(0)) &&
                            device.ops.kind[op] == OpKind::kernel;
        if (!is_its) continue;
        const auto [number, is_new] = numbers.try_emplace(name, next);
        if (is_new) ++next;
        functions[d][op] = number->second;
      }
    }
  });
  return functions;
}

// A launch, and the part of it before its kernel starts. Only this part can load code. The rest may
// be long: with CUDA_LAUNCH_BLOCKING, for example, a launch lasts until its kernel ends.
struct Launch {
  std::uint32_t call = no_index;
  Interval before_kernel;
};

struct Launches {
  std::vector<Launch> first;  // first launch of each function in a process on a device
  std::vector<Ns> others;
};

Launches launches_of(const Trace& trace, const Functions& functions) {
  const Calls& calls = trace.calls;
  // Numbers the functions by device, process and name.
  std::map<std::tuple<std::size_t, std::uint32_t, std::uint32_t>, std::uint32_t> codes;
  struct Coded {
    Launch launch;
    std::uint32_t code = 0;
  };
  std::vector<Coded> launches;
  for (std::size_t d = 0; d < trace.devices.size(); ++d) {
    const Device& device = trace.devices[d];
    const Ops& ops = device.ops;
    for (std::uint32_t op = 0; op < ops.size(); ++op) {
      const std::uint32_t call = ops.issue[op];
      if (ops.kind[op] != OpKind::kernel || call == no_index) continue;
      if (calls.kind[call] != CallKind::launch) continue;
      const auto number = static_cast<std::uint32_t>(codes.size());
      const std::uint32_t pid = device.streams[ops.stream[op]].pid;
      const auto code = codes.try_emplace({d, pid, functions[d][op]}, number).first->second;
      const Interval time = calls.interval(call);
      launches.push_back(
          {{call, {time.start, std::clamp(ops.start[op], time.start, time.end)}}, code});
    }
  }
  std::sort(launches.begin(), launches.end(), [](const Coded& a, const Coded& b) {
    const auto order = [](const Coded& one) {
      const Interval& time = one.launch.before_kernel;
      return std::tie(time.start, one.launch.call, one.code, time.end);
    };
    return order(a) < order(b);
  });
  Launches result;
  std::vector<bool> seen(codes.size());
  for (const auto& [launch, code] : launches) {
    if (!seen[code]) {
      result.first.push_back(launch);
    } else {
      result.others.push_back(launch.before_kernel.length());
    }
    seen[code] = true;
  }
  return result;
}

// Returns the shortest length, in ns, at which a first launch is taken as a load. `others` are the
// lengths of later launches. Later launches load nothing, but may be long because they wait while
// the queue is full. So the result is longer than each of them.
Ns least_load(const std::vector<Ns>& others) {
  const auto longest = std::max_element(others.begin(), others.end());
  if (longest == others.end()) return assumed::least_load;
  return std::max<std::int64_t>(assumed::least_load, *longest + 1);
}

struct OpPlace {
  std::uint32_t pid = 0;
  std::uint32_t context = no_index;
  std::int64_t device = 0;
  std::uint32_t stream = no_index;
};

template <class Row, class F>
void for_each_place_in(schema::Database& database, F&& f) {
  using Columns = schema::TolerantSelection<COLUMNS(Row, globalPid, contextId, deviceId, streamId)>;
  for_each_row<Columns>(database, [&f](const Row& row) {
    const OpPlace place{schema::pid_of(row.globalPid.value_or(0)), id_of(row.contextId),
                        row.deviceId, id_of(row.streamId)};
    // A context of 0 means an empty column, because context ids start at 1.
    if (place.context != no_index && place.context != 0) f(place);
  });
}

template <class F>
void for_each_place(schema::Database& database, F&& f) {
  for_each_place_in<schema::KernelRow>(database, f);
  for_each_place_in<schema::MemcpyRow>(database, f);
  for_each_place_in<schema::MemsetRow>(database, f);
}

bool is_placed(const Stream& stream) { return stream.context != 0; }

}  // namespace

void infer_loads(schema::Database& database, Trace& trace) {
  if (!trace.facts.has_all("RUNTIME")) return;
  const Launches launches = launches_of(trace, functions_of(database, trace));
  if (launches.first.empty()) return;
  const Ns least = least_load(launches.others);
  std::int64_t count = 0;
  Ns ns = 0;
  for (const auto& [call, interval] : launches.first) {
    if (interval.length() < least) continue;
    const auto& thread = trace.calls.threads[trace.calls.thread_of(call)];
    trace.overheads.push_back({interval, OverheadKind::module_load, thread.global_tid});
    ++count;
    ns += interval.length();
  }
  std::ranges::sort(trace.overheads, {}, [](const Overhead& one) {
    return std::tie(one.interval.start, one.interval.end, one.global_tid, one.kind);
  });
  trace.facts.without_cause.emplace_back("OVERHEAD");
  if (count == 0) return;
  constexpr std::int64_t ns_per_us = 1000;
  trace.health.push_back({HealthKind::loads_inferred, count, {ns / ns_per_us}});
}

std::vector<CudaContext> contexts_of_ops(schema::Database& database) {
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::int64_t>> found;
  for_each_place(database, [&found](const OpPlace& place) {
    if (place.device == schema::no_integer) return;
    found.insert({place.pid, place.context, place.device});
  });
  std::vector<CudaContext> contexts;
  for (const auto& [pid, id, device] : found) contexts.push_back({pid, id, device, no_index});
  return contexts;
}

void place_streams(schema::Database& database, Trace& trace) {
  const bool are_placed =
      std::all_of(trace.devices.begin(), trace.devices.end(), [](const Device& device) {
        return std::all_of(device.streams.begin(), device.streams.end(), is_placed);
      });
  if (are_placed || trace.synchronizations.empty()) return;
  // Context by process and stream; no_index if the stream's ops have several contexts.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> contexts;
  for_each_place(database, [&contexts](const OpPlace& place) {
    std::uint32_t& context =
        contexts.try_emplace({place.pid, place.stream}, place.context).first->second;
    if (context != place.context) context = no_index;
  });
  for (Device& device : trace.devices) {
    for (Stream& stream : device.streams) {
      const auto found = contexts.find({stream.pid, stream.id});
      const bool is_told = found != contexts.end() && found->second != no_index;
      if (!is_placed(stream) && is_told) stream.context = found->second;
    }
  }
}

}  // namespace lapscope::analyzer
