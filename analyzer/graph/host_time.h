#pragma once

#include <algorithm>

#include "analyzer/graph/graph.h"
#include "analyzer/intervals/interval_set.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {

// A part of a thread's time.
struct HostTime {
  Cause cause = Cause::host_compute;
  Interval interval;
  std::uint32_t step = 0;  // the call, or the one behind the time between two
  bool is_gap = false;
};

// What a thread did in its turn, while another one waited: up to the end of its step `last`.
template <class Add>
void for_turn(const Graph& graph, std::uint32_t last, Interval turn, Add&& add) {
  const std::uint32_t first = thread_of(graph, last).first;
  for (std::uint32_t s = last;; --s) {
    const Step& step = graph.steps[s];
    add({step.cause, {std::max(step.start, turn.start), step.end}, s, false});
    if (step.start <= turn.start) return;
    const std::int64_t since = s == first ? turn.start : graph.steps[s - 1].end;
    add({Cause::host_compute, {std::max(since, turn.start), step.start}, s, true});
    if (s == first || since <= turn.start) return;
  }
}

// What a thread did from an instant on until it issued a task: the call that does so first, then
// back in time. Calls take(HostTime) for calls and for the time between them, which is the
// host's own, or in which it waited for another thread: then for what that did, or for a value.
template <class Take>
void for_host_time(const Graph& graph, std::uint32_t issuing, Interval within, Take&& take) {
  const auto add = [&](HostTime part) {
    part.interval.start = std::max(part.interval.start, within.start);
    part.interval.end = std::min(part.interval.end, within.end);
    if (part.interval.start < part.interval.end) take(part);
  };
  const Step& issue = graph.steps[issuing];
  add({issue.cause, {issue.start, issue.end}, issuing, false});
  std::int64_t now = issue.start;
  const std::uint32_t first = thread_of(graph, issuing).first;
  const std::uint32_t last = issuing - std::min(issuing - first, assumed::most_steps_back.value);
  for (std::uint32_t s = issuing; now > within.start && s-- > last;) {
    const Step& before = graph.steps[s];
    const Step& behind = graph.steps[s + 1];
    const std::int64_t turn = behind.waits_for_turn() ? now - behind.after_gap : before.end;
    add({Cause::host_compute, {std::max(turn, before.end), now}, s + 1, true});
    if (turn > before.end) {
      const Interval waits{before.end, turn};
      if (behind.after_kind == After::turn) {
        for_turn(graph, behind.after, waits, add);
      } else {
        const bool is_lock = behind.after_kind == After::lock;
        add({is_lock ? Cause::lock : Cause::host_sync, waits, s + 1, true});
      }
    }
    add({before.cause, {before.start, before.end}, s, false});
    now = before.start;
  }
  // Before its first call a thread did work of its own.
  if (last == first) add({Cause::host_compute, {within.start, now}, first, true});
}

}  // namespace lapscope::analyzer
