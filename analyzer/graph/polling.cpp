#include "analyzer/graph/polling.h"

#include <algorithm>
#include <map>

#include "analyzer/intervals/units.h"
#include "analyzer/model/rules.h"

namespace lapscope::analyzer {
namespace {

CallKind kind_of(const Trace& trace, const HostSteps& host, std::uint32_t step) {
  return trace.calls.kind[host.steps[step].call];
}

// Finds the polls among the steps [first, last) of one row (PollRow). If two queries have the same
// Question, all steps between them belong to the same poll as the two queries.
void find_polls(const Trace& trace, const HostSteps& host, std::uint32_t first, std::uint32_t last,
                std::vector<Poll>& polls) {
  std::map<Question, std::uint32_t> last_asked;
  std::vector<Question> asked;
  for (std::uint32_t step = first; step < last; ++step) {
    const bool asks = kind_of(trace, host, step) == CallKind::query;
    const Synchronization* record = asks ? record_of(trace, host, step) : nullptr;
    asked.push_back(record ? question_of(*record) : Question{});
    if (record) last_asked[asked.back()] = step;
  }
  for (std::uint32_t step = first; step < last; ++step) {
    Poll poll{step, step};
    for (std::uint32_t in = step; in <= poll.last; ++in) {
      const auto known = last_asked.find(asked[in - first]);
      if (known != last_asked.end()) poll.last = std::max(poll.last, known->second);
    }
    if (poll.last > poll.first) polls.push_back(poll);
    step = poll.last;
  }
}

}  // namespace

const Synchronization* record_of(const Trace& trace, const HostSteps& host, std::uint32_t step) {
  const auto& all = trace.synchronizations;
  const std::uint32_t call = host.steps[step].call;
  const Ns start = trace.calls.start[call];
  auto found = std::ranges::partition_point(
      all, [&](const Synchronization& sync) { return trace.calls.start[sync.call] < start; });
  for (; found != all.end() && trace.calls.start[found->call] == start; ++found) {
    if (found->call == call) return &*found;
  }
  return nullptr;
}

Question question_of(const Synchronization& record) {
  return {record.kind, record.pid,
          record.kind == SyncKind::event ? record.event_sync : record.stream};
}

std::vector<Poll> polls_of(const Trace& trace, const HostSteps& host) {
  std::vector<Poll> polls;
  if (!rule::polling) return polls;
  const auto length_of = [&](std::uint32_t step) {
    return trace.calls.interval(host.steps[step].call).length();
  };
  for (const ThreadSteps& thread : host.threads) {
    for (std::uint32_t first = thread.first; first < thread.last; ++first) {
      PollRow row;
      std::uint32_t last = first;
      while (last < thread.last && row.takes(kind_of(trace, host, last), length_of(last))) ++last;
      if (last == first) continue;
      find_polls(trace, host, first, last, polls);
      first = last;
    }
  }
  std::ranges::sort(polls, {}, &Poll::first);
  return polls;
}

}  // namespace lapscope::analyzer
