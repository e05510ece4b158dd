#include "analyzer/model/captures.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "analyzer/intervals/units.h"

namespace lapscope::analyzer {
namespace {

// By process: the times at which captures began (+1) and ended (-1), sorted.
using Changes = std::map<std::uint32_t, std::vector<std::pair<Ns, int>>>;

Changes changes_of(const Trace& trace) {
  const Calls& calls = trace.calls;
  Changes changes;
  for (const Calls::Thread& thread : calls.threads) {
    for (std::uint32_t call = thread.first; call < thread.last; ++call) {
      if (calls.kind[call] != CallKind::other) continue;
      const std::string_view name = trace.names.text(calls.name[call]);
      if (name.starts_with("cudaStreamBeginCapture") || name.starts_with("cuStreamBeginCapture")) {
        changes[pid_of(thread.global_tid)].emplace_back(calls.start[call], 1);
      } else if (name.starts_with("cudaStreamEndCapture") ||
                 name.starts_with("cuStreamEndCapture")) {
        changes[pid_of(thread.global_tid)].emplace_back(calls.end[call], -1);
      }
    }
  }
  for (auto& [pid, of_process] : changes) std::sort(of_process.begin(), of_process.end());
  return changes;
}

}  // namespace

Captures::Captures(const Trace& trace) {
  for (const auto& [pid, changes] : changes_of(trace)) {
    std::vector<Interval>& captured = of_process_[pid];
    int open = 0;
    for (const auto& [time, change] : changes) {
      if (change > 0) {
        if (open++ == 0) captured.push_back({time, latest_time});
      } else if (open == 0) {
        captured.assign(1, {0, time});
      } else if (--open == 0) {
        captured.back().end = time;
      }
    }
  }
}

bool Captures::may_hold(const Calls& calls, std::uint32_t call) const {
  const auto found = of_process_.find(pid_of(calls.threads[calls.thread_of(call)].global_tid));
  if (found == of_process_.end()) return false;
  const Ns start = calls.start[call];
  const auto after =
      std::upper_bound(found->second.begin(), found->second.end(), start,
                       [](Ns time, const Interval& capture) { return time < capture.start; });
  return after != found->second.begin() && start < std::prev(after)->end;
}

}  // namespace lapscope::analyzer
