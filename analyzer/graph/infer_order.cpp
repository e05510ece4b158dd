#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "analyzer/graph/building.h"
#include "analyzer/model/assumptions.h"
#include "analyzer/model/rules.h"

namespace lapscope::analyzer {
namespace {

// For each stream, whether several threads issued ops to it.
std::vector<bool> are_shared(std::size_t streams, const std::vector<Draft>& drafts,
                             const HostSteps& host) {
  std::vector<bool> shared(streams);
  std::vector<std::uint32_t> thread(streams, no_index);
  for (const Draft& draft : drafts) {
    const Task& task = draft.task;
    if (task.op == no_index || task.step == no_index) continue;
    const std::uint32_t own = thread_of(host, task.step).first;
    if (thread[task.stream] == no_index) thread[task.stream] = own;
    if (thread[task.stream] != own) shared[task.stream] = true;
  }
  return shared;
}

}  // namespace

// Infers the times of issue that are not recorded. A stream runs its ops in the order of issue. So
// an op without a call in the trace was issued before the ops that ran after it in its stream,
// maybe long before it started. An op whose call began before the interval was issued at the start
// of this call.
//
//   thread    .b......    A has no call in the trace. A ran before B in the same stream, so A was
//   stream 1  ..AAAABB    issued before B, at 1 or earlier.
void place_unissued(const Trace& trace, const RecordedCalls& calls, std::size_t streams,
                    std::vector<Draft>& drafts) {
  const bool has_any = std::any_of(drafts.begin(), drafts.end(),
                                   [](const Draft& one) { return one.task.step == no_index; });
  if (!has_any || !rule::place_unissued) return;
  std::vector<std::uint32_t> order;
  for (std::uint32_t t = 0; t < drafts.size(); ++t) {
    if (drafts[t].task.op != no_index) order.push_back(t);
  }
  std::sort(order.begin(), order.end(), [&drafts](std::uint32_t a, std::uint32_t b) {
    const Interval& first = drafts[a].time;
    const Interval& second = drafts[b].time;
    return std::tie(first.start, first.end) > std::tie(second.start, second.end);
  });
  std::vector<Ns> at_latest(streams, latest_time);
  for (const std::uint32_t t : order) {
    Draft& draft = drafts[t];
    const Task& task = draft.task;
    Ns& latest = at_latest[task.stream];
    if (task.step == no_index) {
      const std::uint32_t call = trace.devices[task.device].ops.issue[task.op];
      const Ns issued = call == no_index ? latest : trace.calls.start[call];
      draft.at_latest = std::min(draft.time.start, issued);
    }
    latest = std::min(latest, issued_at(calls, draft));
  }
}

// Infers the order of issue for overlapping calls that issue to the same stream. The op that ran
// first was issued first, even if its call began later. Graph launches, and calls without an op,
// issue at their start.
//
//   thread 1  aaaaaa.....    B is ahead in the stream: A was issued after B
//   thread 2  .bb........
//   stream 1  ...BB.AA...
bool settle_races(std::size_t streams, const std::vector<Draft>& drafts, RecordedCalls& calls) {
  if (!rule::settle_races) return false;
  const std::vector<bool> shared = are_shared(streams, drafts, calls.host);
  if (std::none_of(shared.begin(), shared.end(), [](bool is) { return is; })) return false;
  std::vector<Step>& steps = calls.host.steps.edit();
  std::vector<const Draft*> order;
  for (const Draft& draft : drafts) {
    const Task& task = draft.task;
    if (task.op == no_index || task.step == no_index || !shared[task.stream]) continue;
    if (!steps[task.step].is_graph_launch) order.push_back(&draft);
  }
  std::sort(order.begin(), order.end(), [](const Draft* a, const Draft* b) {
    return std::tie(a->task.stream, a->time.start, a->time.end, a->task.step) <
           std::tie(b->task.stream, b->time.start, b->time.end, b->task.step);
  });
  bool is_any = false;
  Ns latest = never;  // latest time of issue in the stream so far
  const Task* ahead = nullptr;
  for (const Draft* draft : order) {
    const Task& task = draft->task;
    if (ahead != nullptr && ahead->stream != task.stream) {
      ahead = nullptr;
      latest = never;
    }
    if (ahead != nullptr && ahead->step != task.step) {
      Step& step = steps[task.step];
      const Interval& call = calls.times[task.step];
      const Ns behind = latest + 1 - call.start;
      if (rule::overtaken && behind > step.overtaken && behind < call.length() &&
          behind <= std::numeric_limits<std::int32_t>::max()) {
        step.overtaken = static_cast<std::int32_t>(behind);
        is_any = true;
      }
    }
    latest = std::max(latest, issued_at(calls, *draft));
    ahead = &task;
  }
  return is_any;
}

// With programmatic dependent launch, two kernels of one stream may overlap. The code of the second
// kernel waits until the first kernel has ended. So the start of the second kernel is set to the
// end of the first kernel.
//
//   recorded  AAAAAAA...    changed  AAAAAAA...
//             .....BBBBB             .......BBB
void begin_behind(const Trace& trace, const HostSteps& host, std::size_t streams,
                  std::vector<Draft>& drafts) {
  if (!rule::began_early) return;
  std::vector<std::uint32_t> last(streams, no_index);
  const auto is_kernel = [&](const Task& one) {
    return one.op != no_index && trace.devices[one.device].ops.kind[one.op] == OpKind::kernel &&
           !is_graph_node(host, one);
  };
  for (std::uint32_t t = 0; t < drafts.size(); ++t) {
    Draft& draft = drafts[t];
    const std::uint32_t before = std::exchange(last[draft.task.stream], t);
    if (before == no_index || !is_kernel(draft.task) || !is_kernel(drafts[before].task)) continue;
    const Ns end = drafts[before].time.end;
    if (end <= draft.time.start + assumed::clock_tolerance || end >= draft.time.end) continue;
    draft.time.start = end;
    draft.task.began_early = true;
  }
}

}  // namespace lapscope::analyzer
