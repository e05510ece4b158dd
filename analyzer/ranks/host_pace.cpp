#include "analyzer/ranks/host_pace.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "analyzer/graph/polling.h"
#include "analyzer/intervals/median.h"

namespace lapscope::analyzer {
namespace {

// Applies a function to each outermost call of a process.
template <typename Visit>
void for_each_call(const Calls& calls, std::uint32_t pid, const Visit& visit) {
  for (const Calls::Thread& thread : calls.threads) {
    if (pid_of(thread.global_tid) != pid) continue;
    for (std::uint32_t call = thread.first; call < thread.last; ++call) visit(call);
  }
}

// Returns the median length of the calls of each function that does not wait.
std::map<std::uint32_t, Ns> usual_lengths(const Calls& calls, std::uint32_t pid) {
  std::map<std::uint32_t, std::vector<Ns>> lengths;
  for_each_call(calls, pid, [&](std::uint32_t call) {
    if (!may_wait(calls.kind[call])) {
      lengths[calls.name[call]].push_back(calls.interval(call).length());
    }
  });
  return medians_of(std::move(lengths));
}

// Appends the polls of a thread to `waits`.
void add_polls(const Calls& calls, const Calls::Thread& thread, std::vector<Interval>& waits) {
  const auto is_query = [&calls](std::uint32_t c) { return calls.kind[c] == CallKind::query; };
  for (std::uint32_t call = thread.first; call < thread.last; ++call) {
    if (!is_query(call)) continue;
    const std::uint32_t first = call;
    std::uint32_t last = call;
    PollRow row;
    for (; call < thread.last && row.takes(calls.kind[call], calls.interval(call).length());
         ++call) {
      if (is_query(call)) last = call;
    }
    if (last > first) waits.push_back({calls.start[first], calls.end[last]});
  }
}

// Returns the times in which a process may have waited for a device. `issuing`: the threads that
// issued its communication kernels.
IntervalSet waits_of(const Calls& calls, const std::set<std::uint32_t>& issuing) {
  const std::uint32_t pid = pid_of(calls.threads[*issuing.begin()].global_tid);
  const std::map<std::uint32_t, Ns> usual = usual_lengths(calls, pid);
  std::vector<Interval> waits;
  for_each_call(calls, pid, [&](std::uint32_t call) {
    const auto own = usual.find(calls.name[call]);
    const Ns begin = calls.start[call] + (own == usual.end() ? 0 : own->second);
    if (begin < calls.end[call]) waits.push_back({begin, calls.end[call]});
  });
  for (const std::uint32_t thread : issuing) add_polls(calls, calls.threads[thread], waits);
  return IntervalSet::union_of(std::move(waits));
}

}  // namespace

std::vector<Ns> host_times(const Trace& trace, std::span<const std::uint32_t> calls) {
  std::vector<Ns> times(calls.size(), 0);
  const Calls& all = trace.calls;
  std::set<std::uint32_t> issuing;
  for (const std::uint32_t call : calls) {
    if (call != no_index) issuing.insert(all.thread_of(call));
  }
  if (issuing.empty()) return times;
  const auto first =
      std::ranges::find_if(calls, [](std::uint32_t call) { return call != no_index; });
  const IntervalSet waits = waits_of(all, issuing);
  Ns issued = all.start[*first];  // the latest begin of a call until now
  Ns own = 0;
  for (auto k = static_cast<std::size_t>(first - calls.begin()); k < calls.size(); ++k) {
    if (calls[k] != no_index && all.start[calls[k]] > issued) {
      const Interval since{std::exchange(issued, all.start[calls[k]]), all.start[calls[k]]};
      own += since.length() - waits.length_in(since);
    }
    times[k] = own;
  }
  return times;
}

}  // namespace lapscope::analyzer
