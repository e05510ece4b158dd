#include "reports/html/thin.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <type_traits>
#include <vector>

namespace lapscope::reports {
namespace {

using analyzer::Bytes;
using analyzer::no_index;
using analyzer::Ns;
using analyzer::Timeline;
using analyzer::TimelineLane;
using analyzer::TimelineSpans;
using analyzer::TimelineThread;

// Compressed size of an op, and of a call or a range, measured with a trace of random durations.
// This is the worst case, because real durations are multiples of 32 ns. Base64 later adds a third.
// Ops get at most nine tenths of the bytes for a timeline; calls and ranges get the rest.
constexpr std::size_t op_tenths = 51;  // of a byte
constexpr std::size_t span_tenths = 44;
// Additional size of each call if call sites are known: 1.3 bytes compressed, for 1000 sites that
// are equally likely.
constexpr std::size_t site_tenths = 13;

std::size_t tenths_of_span(const Timeline& timeline) {
  return span_tenths + (timeline.sites.empty() ? 0 : site_tenths);
}

std::size_t spans_of(const Timeline& timeline) {
  std::size_t count = timeline.calls();
  for (const TimelineThread& thread : timeline.threads) count += thread.ranges.size();
  return count;
}

// The indices [first, last) of neighbours that become one entry.
struct Run {
  std::size_t first = 0;
  std::size_t last = 0;

  std::size_t size() const { return last - first; }
};
using Starts = std::span<const Ns>;
template <class Spans>
std::vector<Run> runs_of(const Spans& spans, Ns shorter, Starts kept) {
  const auto& start = spans.start;
  const auto& end = spans.end;
  std::vector<Run> runs;
  const auto is_short = [&](std::size_t i) {  // never short if `shorter` is 0
    return end[i] - start[i] < shorter && !std::binary_search(kept.begin(), kept.end(), start[i]);
  };
  for (std::size_t i = 0; i < start.size();) {
    std::size_t last = i + 1;
    if (is_short(i)) {
      while (last < start.size() && start[last] >= start[i] && start[last] - start[i] < shorter &&
             is_short(last)) {
        ++last;
      }
    }
    runs.push_back({i, last});
    i = last;
  }
  return runs;
}

// Names the joined entries. Each different set of joined names gets one new name.
class JoinedNames {
 public:
  explicit JoinedNames(std::vector<std::string>& names) : names_(names) {}

  std::uint32_t of(std::vector<std::uint32_t> set) {
    const std::uint32_t first = set.front();
    std::sort(set.begin(), set.end());
    set.erase(std::unique(set.begin(), set.end()), set.end());
    const std::size_t count = set.size();
    if (count > 1 && listed_ + count > most_listed && known_.count(set) == 0)
      set = {first, no_index};
    const auto [found, is_new] = known_.try_emplace(set, 0);
    if (is_new) {
      found->second = static_cast<std::uint32_t>(names_.size());
      names_.push_back(names_[first] + (count == 1 ? ", joined" : " and others, joined"));
      if (set.back() == no_index) set.clear();
      listed_ += set.size();
      sets_.push_back(std::move(set));
    }
    return found->second;
  }

  std::vector<std::vector<std::uint32_t>> take() { return std::move(sets_); }

 private:
  static constexpr std::size_t most_listed = 50'000;  // in all sets: about 0.1 MB of a page

  std::vector<std::string>& names_;
  std::map<std::vector<std::uint32_t>, std::uint32_t> known_;
  std::vector<std::vector<std::uint32_t>> sets_;
  std::size_t listed_ = 0;
};

template <class Spans>
Spans joined_spans(const Spans& spans, const std::vector<Run>& runs, JoinedNames& names) {
  Spans result;
  for (const Run& run : runs) {
    result.start.push_back(spans.start[run.first]);
    const auto ends = spans.end.begin();
    result.end.push_back(*std::max_element(ends + static_cast<std::ptrdiff_t>(run.first),
                                           ends + static_cast<std::ptrdiff_t>(run.last)));
    const auto texts = spans.name.begin();
    result.name.push_back(run.size() == 1
                              ? spans.name[run.first]
                              : names.of({texts + static_cast<std::ptrdiff_t>(run.first),
                                          texts + static_cast<std::ptrdiff_t>(run.last)}));
  }
  if constexpr (std::is_same_v<Spans, TimelineSpans>) {
    for (const Run& run : spans.site.empty() ? std::vector<Run>{} : runs) {
      result.site.push_back(run.size() == 1 ? spans.site[run.first] : no_index);
    }
  }
  return result;
}

Joined others_of(const std::vector<Run>& runs) {
  Joined joined;
  for (const Run& run : runs) joined.others.push_back(run.size() - 1);
  return joined;
}

TimelineLane joined_lane(const TimelineLane& lane, const std::vector<Run>& runs, JoinedNames& names,
                         Joined& joined) {
  TimelineLane result = joined_spans(lane, runs, names);
  result.device = lane.device;
  result.engine = lane.engine;
  result.stream = lane.stream;
  joined = others_of(runs);
  for (std::size_t at = 0; at < runs.size(); ++at) {
    Bytes bytes = 0;
    Ns idle = result.end[at] - result.start[at];
    for (std::size_t i = runs[at].first; i < runs[at].last; ++i) {
      bytes += lane.bytes[i];
      idle -= lane.end[i] - lane.start[i];
    }
    result.bytes.push_back(bytes);
    if (!lane.geometry.empty()) {
      result.geometry.push_back(runs[at].size() == 1 ? lane.geometry[runs[at].first] : no_index);
    }
    result.call.push_back(runs[at].size() == 1 ? lane.call[runs[at].first] : no_index);
    joined.idle.push_back(idle);
  }
  return result;
}

std::vector<std::uint64_t> counts_of(const Timeline& timeline) {
  std::vector<std::uint64_t> counts(timeline.names.size());
  const auto add = [&counts](const std::vector<std::uint32_t>& names) {
    for (const std::uint32_t name : names) ++counts[name];
  };
  for (const TimelineLane& lane : timeline.lanes) add(lane.name);
  for (const TimelineThread& thread : timeline.threads) {
    add(thread.calls.name);
    add(thread.ranges.name);
  }
  return counts;
}

Timeline thinned(const Timeline& timeline, Thinning& thinning, Starts kept) {
  const Ns shorter_span = thinning.shorter_span_ns;
  Timeline result;
  result.extent = timeline.extent;
  result.names = timeline.names;
  result.geometries = timeline.geometries;
  result.sites = timeline.sites;
  result.host_work = timeline.host_work;
  JoinedNames names(result.names);
  std::vector<std::uint32_t> moved(timeline.calls(), no_index);  // new index of each call
  std::uint32_t call = 0;
  std::uint32_t next = 0;
  for (const TimelineThread& thread : timeline.threads) {
    const auto calls = runs_of(thread.calls, shorter_span, kept);
    for (const Run& run : calls) {
      for (std::size_t i = run.first; i < run.last; ++i) moved[call++] = next;
      ++next;
    }
    const auto ranges = runs_of(thread.ranges, shorter_span, kept);
    result.threads.push_back({thread.pid, thread.tid, joined_spans(thread.calls, calls, names),
                              joined_spans(thread.ranges, ranges, names), thread.seen});
    thinning.calls.push_back(others_of(calls));
    thinning.ranges.push_back(others_of(ranges));
  }
  for (const TimelineLane& lane : timeline.lanes) {
    result.lanes.push_back(joined_lane(lane, runs_of(lane, thinning.shorter_op_ns, kept), names,
                                       thinning.lanes.emplace_back()));
    for (std::uint32_t& issue : result.lanes.back().call) {
      if (issue != no_index) issue = moved[issue];
    }
  }
  thinning.counts = counts_of(timeline);
  thinning.joined_names = names.take();
  return result;
}

// Tries the times 0, 1 us, 2 us, 4 us and so on. Returns the first time, in ns, for which
// `count(time)` is at most `most`. If there is no such time below `longest`, returns the first time
// that is at least `longest`. From `longest` on, `count` returns the same number for all times.
template <class F>
Ns time_for(std::size_t most, Ns longest, F&& count) {
  if (count(0) <= most) return 0;
  Ns shorter = 1000;
  while (shorter < longest && count(shorter) > most) shorter *= 2;
  return shorter;
}

}  // namespace

std::size_t bytes_of(const Timeline& timeline) {
  return (timeline.ops() * op_tenths + spans_of(timeline) * tenths_of_span(timeline)) / 10;
}

std::vector<std::size_t> shares_of(std::size_t total, std::span<const std::size_t> needs) {
  std::vector<std::size_t> order(needs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return needs[a] < needs[b]; });
  std::vector<std::size_t> shares(needs.size());
  std::size_t left = total;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t part = left / (order.size() - i);
    shares[order[i]] = part;
    left -= std::min(needs[order[i]], part);
  }
  return shares;
}

EntryBudget budget_for(const Timeline& timeline, std::size_t bytes) {
  EntryBudget budget;
  budget.ops = bytes * 9 / op_tenths;
  const std::size_t ops = std::min(timeline.ops(), budget.ops);
  budget.spans = (10 * bytes - ops * op_tenths) / tenths_of_span(timeline);
  return budget;
}

Thinning thin(const Timeline& timeline, EntryBudget budget, Starts kept) {
  Thinning thinning;
  thinning.entries = timeline.ops() + spans_of(timeline);
  const Ns longest = 2 * timeline.extent.length() + 2;
  thinning.shorter_op_ns = time_for(budget.ops, longest, [&](Ns shorter) {
    std::size_t count = 0;
    for (const auto& lane : timeline.lanes) count += runs_of(lane, shorter, kept).size();
    return count;
  });
  thinning.shorter_span_ns = time_for(budget.spans, longest, [&](Ns shorter) {
    std::size_t count = 0;
    for (const auto& thread : timeline.threads) {
      count += runs_of(thread.calls, shorter, kept).size();
      count += runs_of(thread.ranges, shorter, kept).size();
    }
    return count;
  });
  if (thinning.shorter_op_ns > 0 || thinning.shorter_span_ns > 0) {
    thinning.timeline = thinned(timeline, thinning, kept);
  }
  const Timeline& left = thinning.timeline ? *thinning.timeline : timeline;
  thinning.kept = left.ops() + spans_of(left);
  return thinning;
}

}  // namespace lapscope::reports
