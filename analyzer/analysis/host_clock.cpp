#include "analyzer/analysis/host_clock.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace lapscope::analyzer {
namespace {

// Computes when NVTX ranges begin and end if the time of recording is removed.
class HostClock {
 public:
  HostClock(const Graph& recorded, const Times& corrected, const std::vector<std::uint32_t>& tasks)
      : recorded_(recorded), corrected_(corrected), by_end_(tasks) {
    std::ranges::sort(by_end_, [&recorded](std::uint32_t a, std::uint32_t b) {
      return recorded.times.tasks[a].end < recorded.times.tasks[b].end;
    });
    for (const std::uint32_t task : tasks) {
      const std::uint32_t step = recorded.tasks[task].step;
      if (step != no_index) issuers_.insert(thread_of(recorded, step).global_tid);
    }
  }

  // Returns the interval of a range without the recorder. Uses the calls of the range's thread. If
  // this thread made no call in the range, it probably waited for the threads that issued the
  // tasks. In this case, uses the calls of these threads in the range. Returns nullopt if they made
  // no calls either.
  std::optional<Interval> moved(const NvtxRange& range) const {
    std::optional<Calls> calls;
    for (const ThreadSteps& thread : recorded_.threads) {
      if (thread.global_tid == range.global_tid) calls = calls_in(thread, range.interval);
    }
    if (!calls) {
      for (const ThreadSteps& thread : recorded_.threads) {
        if (issuers_.count(thread.global_tid) == 0) continue;
        if (const auto of_thread = calls_in(thread, range.interval)) add(*of_thread, calls);
      }
    }
    if (!calls) return std::nullopt;
    const auto [start, end] = range.interval;
    const Ns begin = start - before(calls->first, start);
    return Interval{begin, std::max(begin, end - after(calls->last, end))};
  }

 private:
  // Indices of steps: the first call that starts in an interval, and the last one that ends in it.
  struct Calls {
    std::uint32_t first;
    std::uint32_t last;
  };

  std::optional<Calls> calls_in(const ThreadSteps& thread, Interval interval) const {
    const auto at = [this](std::uint32_t s) { return recorded_.times.steps.begin() + s; };
    const auto first =
        std::partition_point(at(thread.first), at(thread.last),
                             [&](const Interval& call) { return call.start < interval.start; });
    const auto behind = std::partition_point(
        first, at(thread.last), [&](const Interval& call) { return call.end <= interval.end; });
    if (first == behind) return std::nullopt;
    const auto index = [this](auto step) {
      return static_cast<std::uint32_t>(step - recorded_.times.steps.begin());
    };
    return Calls{index(first), index(behind) - 1};
  }

  void add(const Calls& other, std::optional<Calls>& calls) const {
    if (!calls) calls = other;
    const Column<Interval>& steps = recorded_.times.steps;
    if (steps[other.first].start < steps[calls->first].start) calls->first = other.first;
    if (steps[other.last].end > steps[calls->last].end) calls->last = other.last;
  }

  // Returns the step ahead of a step in the same thread. For the first step of a thread, returns
  // the step that created the thread; no_index if this step is not known.
  std::uint32_t ahead_of(std::uint32_t step) const {
    const bool is_first = step == thread_of(recorded_, step).first;
    return is_first ? recorded_.steps[step].after : step - 1;
  }

  // Returns by how many ns a range begins earlier without the recorder. `time` is the range's
  // recorded begin. `step` is its first call. The begin moves with the end of the last call before
  // the range. If that call was still running, the begin moves with the start of that call.
  //
  //   thread 1  [a ].[b ]...........    b seems to create thread 2
  //   thread 2  ............[c ].[d ]
  //   range          |-------------|    begins while b runs: moves with the start of b
  Ns before(std::uint32_t step, Ns time) const {
    for (step = ahead_of(step); step != no_index; step = ahead_of(step)) {
      const Interval& ahead = recorded_.times.steps[step];
      if (ahead.end <= time) return ahead.end - corrected_.steps[step].end;
      if (ahead.start <= time) return ahead.start - corrected_.steps[step].start;
    }
    return 0;
  }

  // Returns by how many ns a range ends earlier without the recorder. `time` is the range's
  // recorded end. The range's end moves with the end of its last call. If an op ended after that
  // call and before the range's end, the range waited for the op in a call that the graph does not
  // have. In this case, the range's end moves with the end of the last such op.
  Ns after(std::uint32_t last_step, Ns time) const {
    const auto behind = std::ranges::partition_point(
        by_end_, [&](std::uint32_t t) { return recorded_.times.tasks[t].end <= time; });
    const Ns step_end = recorded_.times.steps[last_step].end;
    if (behind != by_end_.begin()) {
      const std::uint32_t task = *std::prev(behind);
      const Ns end = recorded_.times.tasks[task].end;
      if (end > step_end) return end - corrected_.tasks[task].end;
    }
    return step_end - corrected_.steps[last_step].end;
  }

  const Graph& recorded_;
  const Times& corrected_;
  std::vector<std::uint32_t> by_end_;
  std::set<std::int64_t> issuers_;  // global ids of the threads that issued the tasks
};

}  // namespace

Ns open_time(const std::vector<NvtxRange>& ranges) {
  std::map<std::uint32_t, std::vector<Interval>> by_name;
  for (const NvtxRange& range : ranges) by_name[range.name].push_back(range.interval);
  Ns total = 0;
  for (auto& [name, intervals] : by_name) {
    total += IntervalSet::union_of(std::move(intervals)).length();
  }
  return total;
}

std::optional<std::vector<NvtxRange>> corrected_ranges(const Graph& recorded,
                                                       const Times& corrected,
                                                       const std::vector<std::uint32_t>& tasks,
                                                       std::vector<NvtxRange> ranges) {
  const HostClock clock(recorded, corrected, tasks);
  for (NvtxRange& range : ranges) {
    const auto moved = clock.moved(range);
    if (!moved || range.interval.end == latest_time) return std::nullopt;
    range.interval = *moved;
  }
  return ranges;
}

}  // namespace lapscope::analyzer
