#include "analyzer/findings/find_causes.h"

#include <algorithm>
#include <map>

#include "analyzer/findings/blame.h"

namespace lapscope::analyzer {
namespace {

std::vector<BlameRow> blame_of(const Graph& graph, const Scoped& scope) {
  std::map<std::pair<BlameKind, std::string_view>, std::int64_t> time;
  for (const PathPart& part : critical_path(graph, scope)) {
    const std::string_view code = !part.is_work                 ? code_of(part.cause)
                                  : part.device != scope.device ? "other-device"
                                                                : name_of(part.engine);
    time[{part.is_work ? BlameKind::work : BlameKind::wait, code}] +=
        part.interval.end - part.interval.start;
  }
  std::vector<BlameRow> rows;
  for (const auto& [key, ns] : time) rows.push_back({key.second, key.first, ns});
  std::stable_sort(rows.begin(), rows.end(),
                   [](const BlameRow& a, const BlameRow& b) { return a.ns > b.ns; });
  return rows;
}

// How long the scope's tasks were held up by each cause alone.
struct Held {
  std::array<std::int64_t, cause_count> ns{};
  std::array<std::int64_t, cause_count> tasks{};
};

std::int64_t removable(const Binding& binding) {
  if (binding.release == never) return 0;
  return std::max<std::int64_t>(0, binding.release - std::max(binding.next_release, never / 2));
}

bool is_pageable(const Trace& trace, const Task& task) {
  const std::uint8_t memory = trace.devices[task.device].ops.memory[task.op];
  return (memory & (source_pageable | target_pageable)) != 0;
}

Held held_up(const Trace& trace, const Graph& graph, const Scoped& scope) {
  Held held;
  for (const std::uint32_t t : scope.tasks) {
    // A copy of pageable memory is itself longer than it need be, whatever it waited for.
    if (is_pageable(trace, graph.tasks[t])) {
      held.ns[static_cast<std::size_t>(Cause::pageable_copy)] +=
          graph.tasks[t].end - graph.tasks[t].start;
      ++held.tasks[static_cast<std::size_t>(Cause::pageable_copy)];
    }
    const Binding& binding = graph.bindings[t];
    const std::int64_t ns = std::min(removable(binding), scope.window.end - scope.window.start);
    if (ns == 0) continue;
    held.ns[static_cast<std::size_t>(binding.cause)] += ns;
    ++held.tasks[static_cast<std::size_t>(binding.cause)];
  }
  return held;
}

}  // namespace

Graph fixed(const Trace& trace, const Graph& graph, const std::vector<AskedFix>& asked) {
  Graph changed = graph;
  for (const AskedFix& one : asked) {
    if (one.fix) {
      one.fix->apply(trace, one.value, changed);
    } else {
      scale_engine(one.engine, one.value, changed);
    }
  }
  return changed;
}

Prediction predict(const Scoped& scope, const Replayed& replayed) {
  Prediction prediction;
  prediction.wall_ns = wall_of(scope, replayed);
  const std::int64_t sum = sum_of(scope, replayed);
  if (sum > 0) {
    prediction.overlap_ratio =
        1 - static_cast<double>(prediction.wall_ns) / static_cast<double>(sum);
  }
  return prediction;
}

std::vector<CausesResult> find_causes(const Trace& trace, const HostTimeline& host,
                                      const Graph& graph, const std::vector<Scoped>& scopes,
                                      const CauseOptions& options) {
  static_cast<void>(host);
  std::vector<CausesResult> results(scopes.size());
  std::vector<Held> held;
  const Replayed base = replay(graph);
  for (std::size_t i = 0; i < scopes.size(); ++i) {
    const Scoped& scope = scopes[i];
    results[i].blame = blame_of(graph, scope);
    results[i].replay.wall_ns = wall_of(scope, base);
    const std::int64_t wall = scope.window.end - scope.window.start;
    if (wall > 0) {
      results[i].replay.error =
          static_cast<double>(results[i].replay.wall_ns) / static_cast<double>(wall) - 1;
    }
    held.push_back(held_up(trace, graph, scope));
  }
  for (const Fix* fix : fixes()) {
    const auto cause = static_cast<std::size_t>(fix->cause);
    if (fix->is_plausible && !fix->is_plausible(trace, graph)) continue;
    std::optional<Replayed> changed;
    for (std::size_t i = 0; i < scopes.size(); ++i) {
      const std::int64_t wall = results[i].replay.wall_ns;
      if (held[i].ns[cause] == 0 || wall == 0) continue;
      if (!changed) changed = replay(fixed(trace, graph, {{fix, {}, 0}}));
      FindingResult finding;
      finding.code = code_of(fix->cause);
      finding.predicted = predict(scopes[i], *changed);
      finding.predicted.needs_judgement = fix->needs_judgement;
      finding.saving_ns = wall - finding.predicted.wall_ns;
      finding.saving_share = static_cast<double>(finding.saving_ns) / static_cast<double>(wall);
      finding.occurrences = held[i].tasks[cause];
      finding.waited_ns = held[i].ns[cause];
      if (finding.saving_share < options.least_saving ||
          finding.saving_ns < options.least_saving_ns) {
        continue;
      }
      results[i].findings.push_back(std::move(finding));
    }
  }
  for (CausesResult& result : results) {
    std::stable_sort(
        result.findings.begin(), result.findings.end(),
        [](const FindingResult& a, const FindingResult& b) { return a.saving_ns > b.saving_ns; });
  }
  return results;
}

}  // namespace lapscope::analyzer
