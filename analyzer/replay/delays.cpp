#include "analyzer/replay/delays.h"

#include <algorithm>

#include "analyzer/model/assumptions.h"
#include "analyzer/model/rules.h"

namespace lapscope::analyzer {

std::int64_t GraphDelays::of(std::uint32_t from, const Link& link) {
  const auto tasks = static_cast<std::uint32_t>(tasks_.size());
  if (link.to >= tasks) {
    const Step& step = steps_[link.to - tasks];
    return link.is_turn ? step.after_gap : step.gap;
  }
  if (from >= tasks) {
    const Step& step = steps_[from - tasks];
    const std::int64_t offset = std::min(tasks_[link.to].issue_offset, step.busy);
    return offset + latency(link.to, step.start + offset, link.cause, no_index);
  }
  const Task& task = tasks_[from];
  return latency(link.to, link.from_start ? task.start : task.end, link.cause, from);
}

std::int64_t GraphDelays::of_room(std::uint32_t t) {
  const Binding& binding = bindings_[t];
  const Engine engine = tasks_[t].engine;
  const bool was_held = binding.cause == Cause::sm_saturated || binding.cause == Cause::copy_engine;
  const Cause cause = engine == Engine::compute ? Cause::sm_saturated : Cause::copy_engine;
  return std::max<std::int64_t>(0,
                                was_held ? binding.lag + late_begin_.of(t) : usual(cause, engine));
}

std::set<std::string_view> GraphDelays::stand_ins() const {
  std::set<std::string_view> names;
  for (std::size_t cause = 0; cause < cause_count; ++cause) {
    for (const Engine engine : all_engines) {
      if (!was_assumed_[cause][static_cast<std::size_t>(engine)]) continue;
      names.insert(graph_.latencies.of(static_cast<Cause>(cause), engine).assumed->name);
    }
  }
  return names;
}

std::int64_t GraphDelays::usual(Cause cause, Engine engine) {
  const Latency& latency = graph_.latencies.of(cause, engine);
  if (latency.assumed) {
    was_assumed_[static_cast<std::size_t>(cause)][static_cast<std::size_t>(engine)] = true;
  }
  return latency.typical;
}

// What the task was seen to take when this is what held it up, and otherwise the usual, but no more
// than there was.
std::int64_t GraphDelays::latency(std::uint32_t t, std::int64_t recorded_release, Cause cause,
                                  std::uint32_t from) {
  const Binding& binding = bindings_[t];
  const Task& task = tasks_[t];
  if (binding.from == from && (from == no_index || binding.cause == cause)) {
    return binding.lag + late_begin_.of(t);
  }
  std::int64_t most = usual(cause, task.engine);
  if (graph_.is_blind) return most;
  // Where the task had started before, it is a fix that makes it wait.
  if (task.start < recorded_release - assumed::clock_tolerance) return most;
  if (rule::lost_race && binding.cause == Cause::sm_saturated && binding.from != no_index) {
    // It lost a race: when it became ready, the other one had just taken the room.
    const std::int64_t taken =
        tasks_[binding.from].start + assumed::dealing_out + 1 - recorded_release;
    if (taken <= assumed::longest_latency) most = std::max(most, taken);
  }
  return std::min(most, task.start - recorded_release);
}

}  // namespace lapscope::analyzer
