#include "analyzer/explain/blocked_tasks.h"

#include <algorithm>

#include "analyzer/graph/constraints/small_copies.h"
#include "analyzer/intervals/interval_set.h"

namespace lapscope::analyzer {

Ns BlockedTasks::time() const {
  std::vector<Interval> times;
  for (const Part& part : parts) times.push_back(part.interval);
  return IntervalSet::union_of(std::move(times)).length();
}

BlockingTimes::BlockingTimes(const Sources& sources, const Recurring& recurring)
    : sources_(sources), recurring_(recurring) {
  for (std::uint32_t t = 0; t < sources.graph.tasks.size(); ++t) {
    if (!sources.graph.tasks[t].is_host_function()) ops_.push_back(t);
  }
  for (const CopyRun& run : small_copy_runs(sources.trace, sources.graph, sources.graph.times)) {
    is_small_.resize(sources.graph.tasks.size());
    for (const std::uint32_t t : run.tasks) is_small_[t] = true;
  }
}

void BlockingTimes::add_parts(std::uint32_t t, const TaskWaits& waits, Interval window,
                              std::vector<Part>& parts) const {
  const std::size_t first = parts.size();
  waits.add_parts(t, parts);
  const auto is_done_once = [this](const Part& part) {
    if (part.step == no_index || !Recurring::concerns(part.cause)) return false;
    return !(part.is_gap ? recurring_.gap(part.step) : recurring_.call(part.step));
  };
  for (std::size_t i = first; i < parts.size(); ++i) parts[i].cause = mended_with(parts[i].cause);
  parts.erase(
      std::remove_if(parts.begin() + static_cast<std::ptrdiff_t>(first), parts.end(), is_done_once),
      parts.end());
  // Pageable copies and small copies take longer than necessary. So their own duration counts as a
  // delay, too.
  const Task& task = sources_.graph.tasks[t];
  Part own;
  own.interval = sources_.graph.times.tasks[t].within(window);
  own.is_work = true;
  own.task = t;
  if (own.interval.length() == 0) return;
  const auto add_own = [&](Cause cause) {
    own.cause = cause;
    parts.push_back(own);
  };
  if (is_pageable(sources_.trace, task)) add_own(Cause::pageable_copy);
  if (t < is_small_.size() && is_small_[t]) add_own(Cause::small_copies);
}

BlockedTasks BlockingTimes::blocked_by(Cause cause, std::span<const std::uint32_t> tasks,
                                       Interval window) const {
  const TaskWaits waits(sources_, tasks, window);
  BlockedTasks blocked;
  std::vector<Part> parts;
  for (const std::uint32_t t : tasks) {
    parts.clear();
    add_parts(t, waits, window, parts);
    BlockedTask one{t, 0, waits.free(t).start, static_cast<std::uint32_t>(blocked.parts.size())};
    for (const Part& part : parts) {
      if (part.cause != cause) continue;
      one.ns += part.interval.length();
      blocked.parts.push_back(part);
    }
    one.last = static_cast<std::uint32_t>(blocked.parts.size());
    if (one.first != one.last) blocked.tasks.push_back(one);
  }
  return blocked;
}

BlockedTasks BlockingTimes::blocked_here_or_elsewhere(Cause cause,
                                                      std::span<const std::uint32_t> tasks,
                                                      Interval window) const {
  BlockedTasks own = blocked_by(cause, tasks, window);
  return own.tasks.empty() ? blocked_by(cause, ops_, window) : own;
}

TimeByCause BlockingTimes::time_by_cause() const {
  return time_by_cause(ops_, {sources_.graph.begin, latest_time});
}

TimeByCause BlockingTimes::time_by_cause(std::span<const std::uint32_t> tasks,
                                         Interval window) const {
  const TaskWaits waits(sources_, tasks, window);
  TimeByCause times{};
  std::vector<Part> parts;
  for (const std::uint32_t t : tasks) {
    parts.clear();
    add_parts(t, waits, window, parts);
    for (const Part& part : parts) {
      times[static_cast<std::size_t>(part.cause)] += part.interval.length();
    }
  }
  return times;
}

}  // namespace lapscope::analyzer
