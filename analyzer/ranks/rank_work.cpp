#include "analyzer/ranks/rank_work.h"

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <utility>

#include "analyzer/model/names.h"
#include "analyzer/ranks/host_pace.h"

namespace lapscope::analyzer {

CollectiveKind collective_kind(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, CollectiveKind>, 6> kinds = {{
      {"AllReduce", CollectiveKind::all_reduce},
      {"AllGather", CollectiveKind::all_gather},
      {"ReduceScatter", CollectiveKind::reduce_scatter},
      {"AlltoAll", CollectiveKind::all_to_all},
      {"AllToAll", CollectiveKind::all_to_all},
      // A kernel of vLLM and SGLang. Each rank reads the data of all other ranks after a barrier.
      {"cross_device_reduce", CollectiveKind::all_reduce},
  }};
  for (const auto& [part, kind] : kinds) {
    if (name.find(part) != std::string_view::npos) return kind;
  }
  return CollectiveKind::other;
}

std::string_view name_of(CollectiveKind kind) {
  switch (kind) {
    case CollectiveKind::all_reduce:
      return "all-reduce";
    case CollectiveKind::all_gather:
      return "all-gather";
    case CollectiveKind::reduce_scatter:
      return "reduce-scatter";
    case CollectiveKind::all_to_all:
      return "all-to-all";
    case CollectiveKind::send_receive:
      return "send/receive";
    case CollectiveKind::other:
      break;
  }
  return "other";
}

namespace {

Interval moved(Interval interval, Ns by) { return {interval.start + by, interval.end + by}; }

Share recorder_share(const ScopeResult& scope) {
  if (!scope.causes || !scope.causes->correction || scope.window.length() == 0) return 0;
  const Correction& correction = *scope.causes->correction;
  return std::max(0.0, static_cast<double>(correction.recorded_ns - correction.corrected_ns) /
                           static_cast<double>(scope.window.length()));
}

// What the host has done when it issues a kernel, in ns.
struct HostTime {
  Ns own = 0;       // as host_times() returns it
  Ns recorder = 0;  // KernelInputs::recorder
};

class Collector {
 public:
  Collector(const Trace& trace, const Device& device, const std::vector<bool>& communication,
            RankWork& work)
      : trace_(trace), ops_(device.ops), communication_(communication), work_(work) {}

  void collect(const ScopeResult& judged) {
    std::vector<Interval> others;
    std::vector<std::uint32_t> calls;  // by kernel
    for (std::uint32_t op = 0; op < ops_.size(); ++op) {
      if (engine_of(ops_, op, communication_) == Engine::communication) {
        add_kernel(op);
        calls.push_back(ops_.issue[op]);
        ops_of_kernels_.push_back(op);
      } else {
        others.push_back(moved(ops_.interval(op), trace_.facts.session_start));
      }
    }
    work_.other_work = IntervalSet::union_of(std::move(others));
    work_.kernels = kernel_shapes(trace_.names, ops_, communication_, judged.window);
    const std::vector<Ns> times = host_times(trace_, calls);
    for (std::size_t k = 0; k < times.size(); ++k) work_.collectives[k].host_time = times[k];
    std::optional<HostTime> first;
    HostTime last;
    for (const KernelInputs& one : judged.inputs) {
      const auto kernel = std::ranges::lower_bound(ops_of_kernels_, one.op);
      if (kernel == ops_of_kernels_.end() || *kernel != one.op) continue;
      const auto k = static_cast<std::size_t>(kernel - ops_of_kernels_.begin());
      work_.collectives[k].lead = std::max<Ns>(0, ops_.interval(one.op).start - one.ready);
      last = {times[k], one.recorder};
      if (!first) first = last;
    }
    if (!first || last.own <= first->own) return;
    const double share = portion(last.recorder - first->recorder, last.own - first->own);
    if (share < 1) work_.host_recorder_share = share;
  }

 private:
  void add_kernel(std::uint32_t op) {
    const auto [name, is_new] =
        names_.try_emplace(ops_.name[op], static_cast<std::uint32_t>(names_.size()));
    if (is_new) work_.names.push_back(trace_.names.text(ops_.name[op]));
    RankCollective kernel;
    kernel.interval = moved(ops_.interval(op), trace_.facts.session_start);
    kernel.name = name->second;
    kernel.kind = collective_kind(work_.names[kernel.name]);
    const std::span<const Message> messages = messages_of(trace_, ops_.issue[op]);
    stream_ = streams_.try_emplace(ops_.stream[op], static_cast<std::uint32_t>(streams_.size()))
                  .first->second;
    kernel.communicator =
        index_of(messages.empty() ? std::nullopt : std::optional(messages.front().communicator));
    for (const Message& message : messages) add(message, kernel);
    work_.collectives.push_back(kernel);
  }

  void add(const Message& message, RankCollective& kernel) {
    kernel.bytes += message.bytes;
    const std::string& function = trace_.names.text(message.function);
    const bool is_send = function == "ncclSend";
    if (is_send || function == "ncclRecv") {
      if (!message.peer) return;
      if (!joins_all(kernel.kind)) kernel.kind = CollectiveKind::send_receive;
      work_.messages.push_back({static_cast<std::uint32_t>(work_.collectives.size()),
                                index_of(message.communicator), *message.peer, is_send,
                                message.bytes});
      return;
    }
    const CollectiveKind kind = collective_kind(function);
    if (joins_all(kind)) kernel.kind = kind;
  }

  std::uint32_t index_of(std::optional<std::uint64_t> id) {
    for (std::uint32_t c = 0; c < work_.communicators.size(); ++c) {
      const RankCommunicator& known = work_.communicators[c];
      if (known.id == id && (id || known.stream == stream_)) return c;
    }
    work_.communicators.push_back({id, stream_, id ? rank_in(*id) : std::nullopt});
    return static_cast<std::uint32_t>(work_.communicators.size() - 1);
  }

  // Returns the rank of the process in a communicator; nullopt if it has none there, or several.
  std::optional<int> rank_in(std::uint64_t id) const {
    std::optional<int> rank;
    for (const Communicator& one : trace_.communicators) {
      if (one.id != id) continue;
      if (rank) return std::nullopt;
      rank = one.rank;
    }
    return rank;
  }

  const Trace& trace_;
  const Ops& ops_;
  const std::vector<bool>& communication_;
  RankWork& work_;
  std::vector<std::uint32_t> ops_of_kernels_;  // ascending
  std::map<std::uint32_t, std::uint32_t> streams_;
  std::uint32_t stream_ = 0;  // of the current kernel
  std::map<std::uint32_t, std::uint32_t> names_;
};

}  // namespace

std::vector<RankWork> rank_works(const Trace& trace, const Report& report,
                                 const std::vector<std::string>& communication) {
  const std::vector<bool> communicates = communication_names(trace.names, communication);
  std::vector<RankWork> works;
  for (const DeviceResult& result : report.devices) {
    const auto device = std::find_if(trace.devices.begin(), trace.devices.end(),
                                     [&](const Device& one) { return one.id == result.id; });
    RankWork work;
    work.file = trace.facts.file;
    work.rank = trace.facts.rank;
    work.host = trace.facts.host;
    work.booted = trace.facts.booted;
    work.ranks = trace.facts.ranks;
    work.device = result.id;
    work.device_name = result.name;
    const Ns start = trace.facts.session_start;
    work.whole = moved(result.scope.window, start);
    work.judged = moved(judged_of(result).window, start);
    work.is_steady = steady_state_of(result) != nullptr;
    work.recorder_share = work.host_recorder_share = recorder_share(judged_of(result));
    work.lost = lost_beside(*device, communicates);
    work.trust = report.trust;
    Collector(trace, *device, communicates, work).collect(judged_of(result));
    works.push_back(std::move(work));
  }
  return works;
}

}  // namespace lapscope::analyzer
