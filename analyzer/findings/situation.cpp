#include "analyzer/findings/situation.h"

#include <algorithm>

#include "analyzer/measures/communication.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

class Looking {
 public:
  explicit Looking(const Sources& sources)
      : trace_(sources.trace),
        graph_(sources.graph),
        communication_(communication_names(trace_.names, default_communication_patterns())) {}

  bool communicates(std::uint32_t t) const {
    const Task& task = graph_.tasks[t];
    if (task.op == no_index || task.engine != Engine::compute) return false;
    const std::uint32_t name = trace_.devices[task.device].ops.name[task.op];
    return name != no_index && communication_[name];
  }

  // Tasks that wait for room, and those that take it.
  bool goes_first(const Held& held) const {
    const auto goes = [this](const HeldTask& one) {
      const std::uint32_t from = graph_.bindings[one.task].from;
      return from != no_index && priority(one.task) < priority(from);
    };
    return !held.tasks.empty() && std::all_of(held.tasks.begin(), held.tasks.end(), goes);
  }

  bool copies_block(const Held& held) const {
    return std::any_of(held.tasks.begin(), held.tasks.end(), [this](const HeldTask& one) {
      const Task& task = graph_.tasks[one.task];
      return is_pageable(trace_, task) && task.step != no_index &&
             trace_.calls.kind[graph_.steps[task.step].call] == CallKind::copy_blocking;
    });
  }

  bool is_between_communication_and_others(const Held& held) const {
    return std::any_of(held.tasks.begin(), held.tasks.end(), [this](const HeldTask& one) {
      const std::uint32_t from = graph_.bindings[one.task].from;
      return from != no_index && communicates(one.task) != communicates(from);
    });
  }

 private:
  std::int64_t priority(std::uint32_t t) const {
    return graph_.streams[graph_.tasks[t].stream].priority;
  }

  const Trace& trace_;
  const Graph& graph_;
  std::vector<bool> communication_;  // by name
};

}  // namespace

Situation situation_of(const Sources& sources, const Scoped& scope, Cause cause, const Held& held,
                       const CausesResult& result) {
  const Looking looking(sources);
  Situation situation;
  if (cause == Cause::sm_saturated) {
    situation.communicates = looking.is_between_communication_and_others(held);
    situation.goes_first = looking.goes_first(held);
  } else {
    situation.communicates =
        std::any_of(scope.tasks.begin(), scope.tasks.end(),
                    [&looking](std::uint32_t t) { return looking.communicates(t); });
  }
  situation.copies_block = looking.copies_block(held);
  situation.link_bound = result.bound_by != name_of(Engine::compute) && !result.bound_by.empty() &&
                         result.bound_share >= assumed::bound_link;
  return situation;
}

}  // namespace lapscope::analyzer
