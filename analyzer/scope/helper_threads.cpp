#include "analyzer/scope/helper_threads.h"

#include <algorithm>
#include <span>

#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {

HelperThreads::HelperThreads(const Trace& trace) : calls_(trace.calls) {
  for (std::uint32_t thread = 0; thread < calls_.threads.size(); ++thread) {
    threads_.emplace(calls_.threads[thread].global_tid, thread);
  }
  issues_.resize(calls_.threads.size());
  for (const Device& device : trace.devices) {
    std::uint32_t last_call = no_index;
    for (const std::uint32_t call : device.ops.issue) {
      if (call == no_index || call == last_call) continue;
      issues_[calls_.thread_of(call)] = true;
      last_call = call;
    }
  }
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<Interval>> open;
  for (const NvtxRange& range : trace.ranges) {
    if (range.is_process_wide) continue;
    auto& intervals = open[{range.global_tid, range.domain}];
    const Interval own = range.interval;
    if (!intervals.empty() && own.start <= intervals.back().end &&
        intervals.back().start <= own.end) {  // merges nested ranges to save memory
      intervals.back().extend_to(own);
    } else {
      intervals.push_back(own);
    }
    auto& borders = borders_[range.global_tid];
    borders.push_back(range.interval.start);
    borders.push_back(range.interval.end);
  }
  for (auto& [of, intervals] : open) open_[of] = IntervalSet::union_of(std::move(intervals));
  for (auto& [thread, borders] : borders_) std::sort(borders.begin(), borders.end());
}

const IntervalSet& HelperThreads::open_ranges(std::int64_t global_tid, std::int64_t domain) const {
  static const IntervalSet none;
  const auto found = open_.find({global_tid, domain});
  return found == open_.end() ? none : found->second;
}

Helps HelperThreads::helps(std::int64_t helper, std::int64_t caller, std::int64_t domain) {
  const auto [known, is_new] = known_.try_emplace({helper, caller, domain}, Helps::undecided);
  if (is_new) known->second = judge(helper, caller, domain);
  return known->second;
}

std::optional<Interval> HelperThreads::pause_at(std::int64_t caller, Ns time) const {
  const Calls::Thread& thread = calls_.threads[threads_.at(caller)];
  const auto ends = std::span(calls_.end).subspan(thread.first, thread.last - thread.first);
  const auto after =
      static_cast<std::uint32_t>(std::upper_bound(ends.begin(), ends.end(), time) - ends.begin());
  Interval pause{0, latest_time};
  if (after > 0) pause.start = ends[after - 1];
  if (after < ends.size()) pause.end = calls_.start[thread.first + after];
  if (pause.end <= time) return std::nullopt;
  const auto borders = borders_.find(caller);
  if (borders == borders_.end()) return pause;
  const auto next = std::upper_bound(borders->second.begin(), borders->second.end(), time);
  if (next != borders->second.begin()) pause.start = std::max(pause.start, *std::prev(next));
  if (next != borders->second.end()) pause.end = std::min(pause.end, *next);
  return pause;
}

Helps HelperThreads::judge(std::int64_t helper, std::int64_t caller, std::int64_t domain) const {
  const auto thread = threads_.find(caller);
  if (thread == threads_.end() || !issues_[thread->second]) return Helps::undecided;
  const IntervalSet& ranges = open_ranges(helper, domain);
  double all = 0;
  double waited = 0;
  // The last pause, and whether the helper's ranges fill enough of it.
  Interval last{0, 0};
  bool is_filled = false;
  const auto fills = [&](const Interval& pause) {
    if (pause.start == last.start && pause.end == last.end) return is_filled;
    last = pause;
    Ns filled = 0;
    for (std::size_t i = ranges.first_ending_after(pause.start); i < ranges.intervals().size();
         ++i) {
      const Interval& range = ranges.intervals()[i];
      if (range.start >= pause.end) break;
      filled += std::min(range.end, pause.end) - std::max(range.start, pause.start);
    }
    is_filled =
        static_cast<double>(filled) >= assumed::large_part * static_cast<double>(pause.length());
    return is_filled;
  };
  for (const Interval& own : open_ranges(caller, domain).intervals()) {
    for (std::size_t i = ranges.first_ending_after(own.start); i < ranges.intervals().size(); ++i) {
      const Interval& range = ranges.intervals()[i];
      if (range.end > own.end) break;
      if (range.start < own.start) continue;
      ++all;
      const auto pause = pause_at(caller, range.start);
      if (pause && range.end <= pause->end && fills(*pause)) ++waited;
    }
  }
  if (all == 0) return Helps::undecided;
  if (all - waited <= all * assumed::hardly_any) return Helps::yes;
  return waited > all * assumed::majority ? Helps::undecided : Helps::no;
}

}  // namespace lapscope::analyzer
