#include "reports/html/thin.h"

#include <algorithm>
#include <map>
#include <vector>

namespace lapscope::reports {
namespace {

using analyzer::no_index;
using analyzer::Timeline;
using analyzer::TimelineLane;
using analyzer::TimelineSpans;
using analyzer::TimelineThread;

std::size_t entries_of(const Timeline& timeline) {
  std::size_t count = timeline.ops() + timeline.calls();
  for (const TimelineThread& thread : timeline.threads) count += thread.ranges.size();
  return count;
}

// Runs of neighbours that become one entry each, as [first, last) by index.
struct Run {
  std::size_t first = 0;
  std::size_t last = 0;
};
std::vector<Run> runs_of(const std::vector<std::int64_t>& start,
                         const std::vector<std::int64_t>& end, std::int64_t shorter) {
  std::vector<Run> runs;
  const auto is_short = [&](std::size_t i) { return end[i] - start[i] < shorter; };
  for (std::size_t i = 0; i < start.size();) {
    std::size_t last = i + 1;
    if (is_short(i)) {
      while (last < start.size() && is_short(last) && start[last] >= start[i] &&
             start[last] - start[i] < shorter) {
        ++last;
      }
    }
    runs.push_back({i, last});
    i = last;
  }
  return runs;
}

// Texts for joined entries, one for each name of what they begin with.
class JoinedNames {
 public:
  explicit JoinedNames(std::vector<std::string>& names) : names_(names) {}
  std::uint32_t of(std::uint32_t first) {
    const auto [found, is_new] = joined_.try_emplace(first, 0);
    if (is_new) {
      found->second = static_cast<std::uint32_t>(names_.size());
      names_.push_back(names_[first] + " and others, joined");
    }
    return found->second;
  }

 private:
  std::vector<std::string>& names_;
  std::map<std::uint32_t, std::uint32_t> joined_;
};

template <class Spans>
Spans joined_spans(const Spans& spans, const std::vector<Run>& runs, JoinedNames& names) {
  Spans result;
  for (const Run& run : runs) {
    result.start.push_back(spans.start[run.first]);
    const auto ends = spans.end.begin();
    result.end.push_back(*std::max_element(ends + static_cast<std::ptrdiff_t>(run.first),
                                           ends + static_cast<std::ptrdiff_t>(run.last)));
    result.name.push_back(run.last - run.first == 1 ? spans.name[run.first]
                                                    : names.of(spans.name[run.first]));
  }
  return result;
}

TimelineLane joined_lane(const TimelineLane& lane, const std::vector<Run>& runs,
                         JoinedNames& names) {
  TimelineLane result = joined_spans(lane, runs, names);
  result.device = lane.device;
  result.engine = lane.engine;
  result.stream = lane.stream;
  for (const Run& run : runs) {
    std::int64_t bytes = 0;
    for (std::size_t i = run.first; i < run.last; ++i) bytes += lane.bytes[i];
    result.bytes.push_back(bytes);
    result.call.push_back(run.last - run.first == 1 ? lane.call[run.first] : no_index);
  }
  return result;
}

Timeline thinned(const Timeline& timeline, std::int64_t shorter) {
  Timeline result;
  result.extent = timeline.extent;
  result.names = timeline.names;
  JoinedNames names(result.names);
  std::vector<std::uint32_t> moved(timeline.calls(), no_index);  // calls: where they are now
  std::uint32_t call = 0;
  std::uint32_t next = 0;
  for (const TimelineThread& thread : timeline.threads) {
    const auto runs = runs_of(thread.calls.start, thread.calls.end, shorter);
    for (const Run& run : runs) {
      for (std::size_t i = run.first; i < run.last; ++i) moved[call++] = next;
      ++next;
    }
    result.threads.push_back(
        {thread.pid, thread.tid, joined_spans(thread.calls, runs, names),
         joined_spans(thread.ranges, runs_of(thread.ranges.start, thread.ranges.end, shorter),
                      names)});
  }
  for (const TimelineLane& lane : timeline.lanes) {
    result.lanes.push_back(joined_lane(lane, runs_of(lane.start, lane.end, shorter), names));
    for (std::uint32_t& issue : result.lanes.back().call) {
      if (issue != no_index) issue = moved[issue];
    }
  }
  return result;
}

}  // namespace

Thinning thin(Timeline& timeline, std::size_t limit) {
  Thinning thinning;
  thinning.entries = thinning.kept = entries_of(timeline);
  if (thinning.entries <= limit) return thinning;
  // Beyond the extent itself nothing more can be joined.
  const std::int64_t longest = 2 * timeline.extent.length() + 2;
  for (std::int64_t shorter = 1000; shorter <= longest; shorter *= 2) {
    Timeline candidate = thinned(timeline, shorter);
    thinning.kept = entries_of(candidate);
    thinning.shorter_ns = shorter;
    if (thinning.kept <= limit || shorter > longest / 2) {
      timeline = std::move(candidate);
      break;
    }
  }
  return thinning;
}

}  // namespace lapscope::reports
