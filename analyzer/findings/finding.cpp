#include "analyzer/findings/finding.h"

#include <algorithm>
#include <cmath>

#include "analyzer/findings/host_functions.h"
#include "analyzer/model/assumptions.h"
#include "analyzer/model/rules.h"

namespace lapscope::analyzer {
namespace {

// Whether each waiting kernel has a higher priority than the kernel that had taken the room.
bool goes_first(const Graph& graph, const BlockedTasks& blocked) {
  const auto priority = [&graph](std::uint32_t t) {
    return graph.streams[graph.tasks[t].stream].priority;
  };
  const auto goes = [&](const BlockedTask& one) {
    const std::uint32_t from = graph.bindings[one.task].from;
    return from != no_index && priority(one.task) < priority(from);
  };
  return !blocked.tasks.empty() && std::ranges::all_of(blocked.tasks, goes);
}

// Whether ops mostly waited for kernels with more blocks than fit on the GPU at once. A kernel in a
// stream of higher priority can start its blocks between the blocks of such kernels.
bool in_waves(const Graph& graph, const BlockedTasks& blocked) {
  Ns waves = 0;
  Ns all = 0;
  for (const BlockedTask& one : blocked.tasks) {
    const std::uint32_t from = graph.bindings[one.task].from;
    if (from == no_index || graph.tasks[from].geometry == no_index) continue;
    all += one.ns;
    if (graph.uses[graph.tasks[from].geometry].fills()) waves += one.ns;
  }
  return static_cast<double>(waves) > assumed::majority * static_cast<double>(all);
}

bool copies_block(const Sources& sources, const BlockedTasks& blocked) {
  return std::ranges::any_of(blocked.tasks, [&](const BlockedTask& one) {
    const Task& task = sources.graph.tasks[one.task];
    return is_pageable(sources.trace, task) && task.step != no_index &&
           sources.trace.calls.kind[sources.graph.steps[task.step].call] == CallKind::copy_blocking;
  });
}

bool is_between_communication_and_others(const Graph& graph, const BlockedTasks& blocked) {
  return std::ranges::any_of(blocked.tasks, [&graph](const BlockedTask& one) {
    const std::uint32_t from = graph.bindings[one.task].from;
    return from != no_index && graph.tasks[one.task].communicates != graph.tasks[from].communicates;
  });
}

}  // namespace

bool is_worth_a_finding(Ns saving_ns, Ns wall_ns, const CauseOptions& options) {
  return saving_ns >= options.least_saving_ns &&
         static_cast<double>(saving_ns) >= options.least_saving * static_cast<double>(wall_ns);
}

std::optional<FindingResult> finding_of(const GraphScope& scope, const CausesResult& result,
                                        const Fix& fix, const Prediction& predicted,
                                        const CauseOptions& options) {
  const Ns wall = result.replay.wall_ns;
  FindingResult finding;
  finding.predicted = predicted;
  finding.predicted.changed.fixes = {fix.cause};
  finding.predicted.needs_judgement = fix.needs_judgement;
  finding.saving_ns = wall - predicted.wall_ns;
  const Ns recorded = scope.window.length();
  finding.saving_share = portion(finding.saving_ns, wall);
  finding.most_saving_ns = wall - predicted.least_wall_ns;
  // A saving means nothing if it is smaller than the replay's error for the unchanged run.
  const auto is_worth = [&](Ns saving_ns) {
    return is_worth_a_finding(saving_ns, wall, options) &&
           (!rule::beyond_replay_error || saving_ns >= std::abs(wall - recorded));
  };
  if (!is_worth(finding.most_saving_ns)) return std::nullopt;
  const bool is_question = !is_worth(finding.saving_ns);
  if (is_question && predicted.doubt == Doubt::unexplained) return std::nullopt;
  finding.if_apart = is_question && predicted.longer == Sharing::most;
  finding.if_shared = is_question && predicted.longer == Sharing::least;
  finding.code = code_of(fix.cause);
  return finding;
}

void add_sites_and_evidence(const Sources& sources, const BlockedTasks& blocked,
                            const CauseOptions& options, FindingResult& finding) {
  constexpr std::size_t waits_listed = 3;  // the longest
  const Cause cause = *cause_of_code(finding.code);
  finding.occurrences = static_cast<std::int64_t>(blocked.tasks.size());
  finding.waited_ns = blocked.time();
  finding.sites = sites_of(sources, cause, blocked);
  if (finding.sites.size() > options.sites_listed) finding.sites.resize(options.sites_listed);
  finding.evidence = longest_waits(sources, cause, blocked, waits_listed);
}

void conclude(const Situation& situation, FindingResult& finding) {
  finding.what = finding.sites.front().what;
  finding.situation = situation;
}

Situation situation_of(const Sources& sources, const GraphScope& scope, Cause cause,
                       const BlockedTasks& blocked, const Independence& independence,
                       const CausesResult& result) {
  const Graph& graph = sources.graph;
  Situation situation;
  if (cause == Cause::sm_saturated) {
    situation.communicates = is_between_communication_and_others(graph, blocked);
    situation.goes_first = goes_first(graph, blocked);
    situation.in_waves = in_waves(graph, blocked);
  } else {
    situation.communicates = std::ranges::any_of(
        scope.tasks, [&graph](std::uint32_t t) { return graph.tasks[t].communicates; });
  }
  if (cause == Cause::stream_order) {
    for (const BlockedTask& one : blocked.tasks) {
      const Task& task = graph.tasks[one.task];
      const std::uint32_t from = graph.bindings[one.task].from;
      if (from != no_index) situation.grounds.insert(independence.of(graph.tasks[from], task));
      situation.has_graphs |= is_graph_node(graph, task);
    }
  }
  situation.sleeps = cause == Cause::host_compute && slept(sources, blocked);
  situation.is_corrected = sources.as_recorded != nullptr;
  situation.copies_block = copies_block(sources, blocked);
  situation.link_bound = result.bound_by != name_of(Engine::compute) && !result.bound_by.empty() &&
                         result.bound_share >= assumed::bound_engine;
  return situation;
}

}  // namespace lapscope::analyzer
