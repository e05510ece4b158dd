#include "analyzer/ranks/host_pace.h"

#include <algorithm>
#include <map>
#include <utility>

namespace lapscope::analyzer {
namespace {

bool may_wait(CallKind kind) {
  switch (kind) {
    case CallKind::copy_async:
    case CallKind::copy_blocking:
    case CallKind::synchronize:
    case CallKind::release:
    case CallKind::release_host:
      return true;
    default:
      return false;
  }
}

// Applies a function to each outermost call of a process.
template <typename Visit>
void for_each_call(const Calls& calls, std::uint32_t pid, const Visit& visit) {
  for (const Calls::Thread& thread : calls.threads) {
    if (pid_of(thread.global_tid) != pid) continue;
    for (std::uint32_t call = thread.first; call < thread.last; ++call) visit(call);
  }
}

// Returns the median length of the calls of each function. Only functions that do not wait.
std::map<std::uint32_t, Ns> usual_lengths(const Calls& calls, std::uint32_t pid) {
  std::map<std::uint32_t, std::vector<Ns>> lengths;
  for_each_call(calls, pid, [&](std::uint32_t call) {
    if (!may_wait(calls.kind[call])) {
      lengths[calls.name[call]].push_back(calls.interval(call).length());
    }
  });
  std::map<std::uint32_t, Ns> usual;
  for (auto& [name, all] : lengths) {
    const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
    std::nth_element(all.begin(), middle, all.end());
    usual[name] = *middle;
  }
  return usual;
}

IntervalSet waits_of(const Calls& calls, std::uint32_t pid) {
  const std::map<std::uint32_t, Ns> usual = usual_lengths(calls, pid);
  std::vector<Interval> waits;
  for_each_call(calls, pid, [&](std::uint32_t call) {
    const auto own = usual.find(calls.name[call]);
    const Ns begin = calls.start[call] + (own == usual.end() ? 0 : own->second);
    if (begin < calls.end[call]) waits.push_back({begin, calls.end[call]});
  });
  return IntervalSet::union_of(std::move(waits));
}

}  // namespace

std::vector<Ns> host_times(const Trace& trace, std::span<const std::uint32_t> calls) {
  std::vector<Ns> times(calls.size(), 0);
  const auto first =
      std::ranges::find_if(calls, [](std::uint32_t call) { return call != no_index; });
  if (first == calls.end()) return times;
  const Calls& all = trace.calls;
  const IntervalSet waits = waits_of(all, pid_of(all.threads[all.thread_of(*first)].global_tid));
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
