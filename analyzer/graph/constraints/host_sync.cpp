#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include "analyzer/graph/call_waits.h"
#include "analyzer/intervals/units.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

std::vector<std::uint32_t> asked_about(const Walk& walk, const Question& question) {
  if (question.kind == SyncKind::event) return walk.recorded(question.pid, question.of);
  const std::uint32_t stream = walk.stream_of(question.pid, question.of);
  return stream == no_index ? std::vector<std::uint32_t>() : walk.work_of(stream);
}

// The thread waits on purpose, in one of these calls:
// - a synchronization with a device, stream or event;
// - a query that polls a stream or event;
// - a blocking copy, or a copy of a value to pageable memory.
//
//   thread    a(synchronize)b.
//   stream 1  .AAAAAAAAAAAA...    b is issued when A has ended
//   stream 2  ...............B
class HostSync : public CallConstraint {
 public:
  explicit HostSync(const ConstraintContext& context)
      : CallConstraint(context),
        contexts_(context),
        are_events_recorded_(context.trace.facts.has_all("CUDA_EVENT")),
        polled_(polled()) {}

  std::optional<std::vector<std::uint32_t>> waited_for(const Walk& walk,
                                                       std::uint32_t step) override {
    switch (kind_of(context_, step)) {
      case CallKind::synchronize:
        return asked_for(walk, step);
      case CallKind::query:
        return unless_empty(answered(walk, step));
      case CallKind::copy_async:
        if (!reads_value(context_, step)) return std::nullopt;
        return unless_empty(ends_of_copy_call(context_, step));
      case CallKind::copy_blocking:
        return unless_empty(ends_of_copy_call(context_, step));
      default:
        return std::nullopt;
    }
  }

 private:
  static std::optional<std::vector<std::uint32_t>> unless_empty(std::vector<std::uint32_t> tasks) {
    if (tasks.empty()) return std::nullopt;
    return tasks;
  }

  // Returns what a cudaDeviceSynchronize, cudaStreamSynchronize or cudaEventSynchronize waited for.
  std::optional<std::vector<std::uint32_t>> asked_for(const Walk& walk, std::uint32_t step) {
    const Synchronization* record = record_of(context_.trace, context_.program, step);
    const SyncKind kind = record ? record->kind : SyncKind::unknown;
    std::vector<std::uint32_t> tasks;
    // A trace without event records does not show which work an event covered. In such a trace, a
    // wait for an event is handled like a wait without a record.
    const bool is_unknown =
        kind == SyncKind::event && record->event_sync == 0 && !are_events_recorded_;
    if (kind == SyncKind::context) {
      const std::uint32_t context = walk.context_of(record->pid, record->context);
      if (context != no_index) tasks = contexts_.of_context(walk, step, context);
    } else if (!is_unknown && (kind == SyncKind::stream || kind == SyncKind::event)) {
      tasks = asked_about(walk, question_of(*record));
    } else {
      return contexts_.of_hidden_wait(walk, step, ContextWaits::Evidence::nothing_went_on);
    }
    // The call did not wait for tasks that ended after it. Tasks that had ended before the call
    // stay in the list. After a fix, the call may have to wait for them.
    std::erase_if(tasks, [&](std::uint32_t t) { return ended_after(context_.times, step, t); });
    return unless_empty(std::move(tasks));
  }

  // Returns the tasks that a poll waited for. The first step of a poll has the length of the whole
  // poll, so the result is empty for the other steps. For each stream or event, only the poll's
  // last query about it counts: a task is in the result if it had ended when this query returned.
  //
  // A query that is not repeated counts as a poll if the program polls the same stream or event
  // elsewhere, or polls at the same source line (is_polled()). Other single queries wait for
  // nothing.
  std::vector<std::uint32_t> answered(const Walk& walk, std::uint32_t step) const {
    const Poll poll = poll_of(step);
    if (poll.first != step || (poll.last == step && !is_polled(step))) return {};
    std::map<Question, std::uint32_t> last_asked;
    for (std::uint32_t asks = poll.first; asks <= poll.last; ++asks) {
      if (const auto* record = record_of(context_.trace, context_.program, asks)) {
        last_asked[question_of(*record)] = asks;
      }
    }
    std::vector<std::uint32_t> tasks;
    for (const auto& [question, asks] : last_asked) {
      const Ns end = context_.trace.calls.end[context_.program.steps[asks].call];
      for (const std::uint32_t task : asked_about(walk, question)) {
        if (context_.times.tasks[task].end <= end + assumed::clock_tolerance) tasks.push_back(task);
      }
    }
    walk.keep_latest(tasks);
    return tasks;
  }

  // Returns the poll that a step belongs to. A step outside all polls is a poll of one step.
  Poll poll_of(std::uint32_t step) const {
    const auto after =
        std::upper_bound(context_.polls.begin(), context_.polls.end(), step,
                         [](std::uint32_t s, const Poll& poll) { return s < poll.first; });
    const bool in_poll = after != context_.polls.begin() && step <= std::prev(after)->last;
    return in_poll ? *std::prev(after) : Poll{step, step};
  }

  // Whether queries like the one of this step are repeated elsewhere.
  bool is_polled(std::uint32_t step) const {
    return std::ranges::any_of(askings_of(step),
                               [this](const Asking& one) { return polled_.count(one) > 0; });
  }

  // What the queries of one polling loop have in common: the stream or event that they ask about
  // (kind, process, id), or their source line (file, line). An event has its own id here. In
  // Question, it has the id of one cudaEventRecord.
  using Asking = std::tuple<SyncKind, std::uint32_t, std::uint32_t>;
  std::vector<Asking> askings_of(std::uint32_t step) const {
    std::vector<Asking> askings;
    if (const auto* record = record_of(context_.trace, context_.program, step)) {
      const bool is_event = record->kind == SyncKind::event;
      askings.emplace_back(record->kind, record->pid, is_event ? record->event : record->stream);
    }
    const CallStacks& stacks = context_.trace.stacks;
    const std::uint32_t chain = stacks.of_call(context_.program.steps[step].call);
    const std::uint32_t own = chain == CallStacks::none ? chain : stacks.own_frame(chain);
    if (own == CallStacks::none) return askings;
    const Frame& frame = stacks.chain(chain)[own];
    if (frame.line > 0) askings.emplace_back(SyncKind::unknown, frame.file, frame.line);
    return askings;
  }

  std::set<Asking> polled() const {
    std::set<Asking> polled;
    for (const Poll& poll : context_.polls) {
      for (std::uint32_t step = poll.first; step <= poll.last; ++step) {
        if (kind_of(context_, step) != CallKind::query) continue;
        for (const Asking& one : askings_of(step)) polled.insert(one);
      }
    }
    return polled;
  }

  ContextWaits contexts_;
  bool are_events_recorded_;
  std::set<Asking> polled_;  // what the polls of the program ask
};

constexpr std::array host_sync_kinds = {CallKind::synchronize, CallKind::query,
                                        CallKind::copy_blocking};

}  // namespace

const Constraint host_sync_constraint{Cause::host_sync, nullptr, make<CallConstraint, HostSync>,
                                      host_sync_kinds};

}  // namespace lapscope::analyzer
