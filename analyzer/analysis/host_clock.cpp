#include "analyzer/analysis/host_clock.h"

#include <algorithm>

namespace lapscope::analyzer {
namespace {

// What of the time at the begin and the end of NVTX ranges is the recorder's.
class HostClock {
 public:
  HostClock(const Graph& recorded, const Replayed& corrected,
            const std::vector<std::uint32_t>& tasks)
      : recorded_(recorded), corrected_(corrected), by_end_(tasks) {
    std::sort(by_end_.begin(), by_end_.end(), [&recorded](std::uint32_t a, std::uint32_t b) {
      return recorded.tasks[a].end < recorded.tasks[b].end;
    });
  }

  // How much shorter a range is without the recorder; nothing where its thread has no calls in it.
  std::optional<std::int64_t> taken_off(const NvtxRange& range) const {
    for (const ThreadSteps& thread : recorded_.threads) {
      if (thread.global_tid != range.global_tid) continue;
      const auto at = [this](std::uint32_t s) { return recorded_.steps.begin() + s; };
      const auto first =
          std::partition_point(at(thread.first), at(thread.last),
                               [&](const Step& step) { return step.start < range.interval.start; });
      const auto behind = std::partition_point(
          first, at(thread.last), [&](const Step& step) { return step.end <= range.interval.end; });
      if (first == behind) return std::nullopt;
      const auto begin = static_cast<std::size_t>(first - recorded_.steps.begin());
      const auto last = static_cast<std::size_t>(behind - recorded_.steps.begin()) - 1;
      // The time of opening it is before its first call, that of closing it behind all.
      const std::int64_t before = recorded_.steps[begin].start - corrected_.step_start[begin] -
                                  recorded_.steps[begin].recorder_before;
      return after(last, range.interval.end) - before;
    }
    return std::nullopt;
  }

 private:
  // By how much what was last before an instant is earlier: a call, or an op that was waited for by
  // a call that the graph does not hold.
  std::int64_t after(std::size_t last_step, std::int64_t time) const {
    const auto behind = std::partition_point(by_end_.begin(), by_end_.end(), [&](std::uint32_t t) {
      return recorded_.tasks[t].end <= time;
    });
    const std::int64_t step_end = recorded_.steps[last_step].end;
    if (behind != by_end_.begin()) {
      const std::uint32_t task = *std::prev(behind);
      const std::int64_t end = recorded_.tasks[task].end;
      if (end > step_end) return end - corrected_.end[task];
    }
    return step_end - corrected_.step_end[last_step];
  }

  const Graph& recorded_;
  const Replayed& corrected_;
  std::vector<std::uint32_t> by_end_;
};

}  // namespace

std::optional<HostTime> host_time(const Graph& recorded, const Replayed& corrected,
                                  const std::vector<std::uint32_t>& tasks,
                                  const std::vector<NvtxRange>& ranges) {
  const HostClock clock(recorded, corrected, tasks);
  HostTime time;
  std::int64_t taken = 0;
  for (const NvtxRange& range : ranges) {
    const auto one = clock.taken_off(range);
    if (!one || range.interval.end == latest_time) return std::nullopt;
    time.recorded_ns += range.interval.length();
    taken += *one;
  }
  time.corrected_ns = std::max<std::int64_t>(0, time.recorded_ns - taken);
  return time;
}

}  // namespace lapscope::analyzer
