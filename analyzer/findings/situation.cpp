#include "analyzer/findings/situation.h"

#include <algorithm>

#include "analyzer/findings/host_functions.h"
#include "analyzer/model/assumptions.h"

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
