#include "analyzer/replay/delays.h"

#include <algorithm>

#include "analyzer/model/assumptions.h"
#include "analyzer/model/rules.h"

namespace lapscope::analyzer {
namespace {

bool is_of_room(Cause cause) { return cause == Cause::sm_saturated || cause == Cause::copy_engine; }

}  // namespace

LateBegin::LateBegin(const Graph& graph)
    : graph_(graph), first_(graph.traits.size(), latest_time), held_(graph.traits.size(), never) {
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    const Task& task = graph.tasks[t];
    if (task.op == no_index || task.step == no_index) continue;
    first_[task.device] = std::min(first_[task.device], graph.times.tasks[t].start);
  }
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    const Ns start = graph.times.tasks[t].start;
    const std::uint16_t device = graph.tasks[t].device;
    if (start == first_[device] && of(t) > 0) held_[device] = start;
  }
}

Ns LateBegin::held_until(std::uint32_t t) const {
  const Task& task = graph_.tasks[t];
  return task.op == no_index || task.step == no_index ? never : held_[task.device];
}

Ns LateBegin::of(std::uint32_t t) const {
  const Task& task = graph_.tasks[t];
  const Ns release = graph_.bindings[t].release;
  if (!rule::late_begin) return 0;
  if (task.op == no_index || task.step == no_index || release == never) return 0;
  const Ns first = first_[task.device];
  if (release >= first) return 0;
  // The delay ends when the device begins its first op. Waits after this time have other reasons.
  const Ns delay =
      std::min(graph_.times.tasks[t].start - release - assumed::longest_latency, first - release);
  return std::max<Ns>(0, delay);
}

// Returns 0 for host functions, because they have no recorded times. Also returns 0 for ops that
// were issued before the graph starts, because a replay never starts them earlier than recorded.
Ns GraphDelays::unexplained(std::uint32_t t) const {
  const bool is_prompt = graph_.prompt_tasks && (*graph_.prompt_tasks)[t];
  if (graph_.is_blind || is_prompt || !rule::unexplained_stays) return late_begin_.of(t);
  const Binding& binding = bindings_[t];
  if (tasks_[t].op == no_index || tasks_[t].step == no_index || binding.release == never) return 0;
  // No record shows the end of a host function. It may have lasted until the task started.
  if (binding.from != no_index && tasks_[binding.from].op == no_index) return 0;
  return std::max<Ns>(0, times_[t].start - binding.release - assumed::longest_latency);
}

Ns GraphDelays::unexplained_ns() const {
  Ns sum = 0;
  for (std::uint32_t t = 0; t < tasks_.size(); ++t) sum += unexplained(t) - late_begin_.of(t);
  return sum;
}

Ns GraphDelays::of(std::uint32_t from, const Link& link) {
  const auto tasks = static_cast<std::uint32_t>(tasks_.size());
  if (link.to >= tasks) {
    const Step& step = steps_[link.to - tasks];
    return link.is_turn ? step.after_gap : step.gap;
  }
  if (from >= tasks) {
    const Step& step = steps_[from - tasks];
    const Ns offset = std::min(graph_.issue_offsets[link.to], step.call_overhead);
    const Ns issued = graph_.times.steps[from - tasks].start + offset;
    return offset + latency(link.to, issued, link.cause, no_index);
  }
  const Interval& time = times_[from];
  return latency(link.to, link.from_start ? time.start : time.end, link.cause, from);
}

Ns GraphDelays::of_room(std::uint32_t t) {
  const Binding& binding = bindings_[t];
  const Engine engine = tasks_[t].engine;
  const bool was_held = is_of_room(binding.cause);
  const Cause cause = engine == Engine::compute ? Cause::sm_saturated : Cause::copy_engine;
  return std::max<Ns>(0,
                      was_held ? binding.lag + unexplained(t) : graph_.latencies.of(cause, engine));
}

// Returns the latency of a task after its release by `from`. If `from` delayed the task in the
// recording, too, this is the recorded latency. If not, it is the usual latency, but at most the
// recorded time from this release to the start of the task.
Ns GraphDelays::latency(std::uint32_t t, Ns recorded_release, Cause cause, std::uint32_t from) {
  const Binding& binding = bindings_[t];
  if (binding.from == from && (from == no_index || binding.cause == cause)) {
    return binding.lag + unexplained(t);
  }
  Ns most = graph_.latencies.of(cause, tasks_[t].engine);
  if (graph_.is_blind) return most;
  // If the task waited for room on its engine, of_room() adds the unexplained delay instead.
  if (!is_of_room(binding.cause)) most += unexplained(t);
  // In the recording, the task may have started before this release. The recorded start then gives
  // no upper limit for the latency after the release.
  const Ns start = times_[t].start;
  if (start < recorded_release - assumed::clock_tolerance) return most;
  if (rule::lost_race && binding.cause == Cause::sm_saturated && binding.from != no_index) {
    // In the recording, another kernel took the room, because the task was not ready yet. So the
    // latency of the task was at least `taken`: the time from the task's release until the other
    // kernel had taken the room.
    const Ns taken = times_[binding.from].start + assumed::dealing_out + 1 - recorded_release;
    if (taken <= assumed::longest_latency) most = std::max(most, taken);
  }
  // An op may release the task for several causes at the same time. `binding` has only one of these
  // causes, but its lag applies to all of them, also if an edit has changed the lag.
  const bool is_same_wait = binding.from == from && binding.release == recorded_release;
  return std::min(most, is_same_wait ? binding.lag + unexplained(t) : start - recorded_release);
}

}  // namespace lapscope::analyzer
