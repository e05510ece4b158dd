#include "analyzer/scope/helper_threads.h"

#include <algorithm>

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
    open[{range.global_tid, range.domain}].push_back(range.interval);
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

bool HelperThreads::is_paused(std::int64_t caller, const Interval& interval) const {
  const Calls::Thread& thread = calls_.threads[threads_.at(caller)];
  const auto first_end = calls_.end.begin() + thread.first;
  const auto call = std::upper_bound(first_end, calls_.end.begin() + thread.last, interval.start) -
                    calls_.end.begin();
  if (call < thread.last && calls_.start[static_cast<std::size_t>(call)] < interval.end) {
    return false;
  }
  const auto borders = borders_.find(caller);
  if (borders == borders_.end()) return true;
  const auto border =
      std::upper_bound(borders->second.begin(), borders->second.end(), interval.start);
  return border == borders->second.end() || *border >= interval.end;
}

Helps HelperThreads::judge(std::int64_t helper, std::int64_t caller, std::int64_t domain) const {
  const auto thread = threads_.find(caller);
  if (thread == threads_.end() || !issues_[thread->second]) return Helps::undecided;
  const Calls::Thread& calls = calls_.threads[thread->second];
  // Before its first call and after its last one it waits for nobody that could be told.
  const Interval alive{calls_.start[calls.first], calls_.end[calls.last - 1]};
  const IntervalSet& ranges = open_ranges(helper, domain);
  double all = 0;
  double paused = 0;
  for (std::size_t i = ranges.first_ending_after(alive.start); i < ranges.intervals().size(); ++i) {
    const Interval& range = ranges.intervals()[i];
    if (range.start >= alive.end) break;
    ++all;
    paused += is_paused(caller, range) ? 1 : 0;
  }
  if (all == 0) return Helps::undecided;
  if (paused >= all * assumed::helper_pauses) return Helps::yes;
  return paused > all * assumed::own_pauses ? Helps::undecided : Helps::no;
}

}  // namespace lapscope::analyzer
