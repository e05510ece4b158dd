#include "analyzer/ranks/rank_work.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "analyzer/model/names.h"

namespace lapscope::analyzer {

CollectiveKind collective_kind(std::string_view kernel) {
  constexpr std::array<std::pair<std::string_view, CollectiveKind>, 3> kinds = {{
      {"AllReduce", CollectiveKind::all_reduce},
      {"AllGather", CollectiveKind::all_gather},
      {"ReduceScatter", CollectiveKind::reduce_scatter},
  }};
  for (const auto& [part, kind] : kinds) {
    if (kernel.find(part) != std::string_view::npos) return kind;
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

void add_ops(const Trace& trace, const Device& device, const std::vector<bool>& communication,
             RankWork& work) {
  const Ns start = trace.facts.session_start;
  const Ops& ops = device.ops;
  std::vector<Interval> others;
  std::map<std::uint32_t, std::uint32_t> streams;
  std::map<std::uint32_t, std::uint32_t> names;
  for (std::uint32_t op = 0; op < ops.size(); ++op) {
    const Interval interval = moved(ops.interval(op), start);
    if (engine_of(ops, op, communication) != Engine::communication) {
      others.push_back(interval);
      continue;
    }
    const auto stream =
        streams.try_emplace(ops.stream[op], static_cast<std::uint32_t>(streams.size())).first;
    const auto [name, is_new] =
        names.try_emplace(ops.name[op], static_cast<std::uint32_t>(names.size()));
    if (is_new) work.names.push_back(trace.names.text(ops.name[op]));
    work.collectives.push_back({interval, stream->second, name->second});
  }
  work.other_work = IntervalSet::union_of(std::move(others));
}

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
    work.ranks = trace.facts.ranks;
    work.device = result.id;
    work.device_name = result.name;
    const Ns start = trace.facts.session_start;
    work.whole = moved(result.scope.window, start);
    work.judged = moved(judged_of(result).window, start);
    work.is_steady = steady_state_of(result) != nullptr;
    work.recorder_share = recorder_share(judged_of(result));
    add_ops(trace, *device, communicates, work);
    works.push_back(std::move(work));
  }
  return works;
}

}  // namespace lapscope::analyzer
