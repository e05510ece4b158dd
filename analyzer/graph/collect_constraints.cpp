#include <algorithm>
#include <numeric>
#include <utility>

#include "analyzer/graph/building.h"
#include "analyzer/graph/constraint.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

// Whether a task was issued early enough for a call to wait for it. If two threads issue in the
// same nanosecond, neither thread waits for the task of the other.
bool was_issued_before(const Issued& program, const Times& times, std::uint32_t task,
                       std::uint32_t step) {
  const std::uint32_t issue = program.tasks[task].step;
  if (issue == no_index || issues_at(program, times, issue) < issues_at(program, times, step)) {
    return true;
  }
  return thread_of(program, step).first <= issue && issue <= step;
}

struct CallWait {
  Cause cause = Cause::unexplained;
  std::uint32_t step = 0;
  std::vector<std::uint32_t> tasks;
};

void add_wait(CallWait wait, Ns quick_call, const Times& times, Program& program) {
  Step& step = program.steps.edit()[wait.step];
  step.cause = wait.cause;
  std::erase_if(wait.tasks,
                [&](std::uint32_t t) { return !was_issued_before(program, times, t, wait.step); });
  if (wait.tasks.empty()) return;
  const Interval& call = times.steps[wait.step];
  Ns until = call.start;
  for (const std::uint32_t task : wait.tasks) until = std::max(until, times.tasks[task].end);
  const Ns all = call.length();
  const bool waited = until > call.start;
  step.call_overhead = waited ? std::min(quick_call, all) : all;
  step.return_latency = waited ? std::max<Ns>(0, call.end - until) : std::min(quick_call, all);
  step.first_wait = static_cast<std::uint32_t>(program.waits.size());
  step.wait_count = static_cast<std::uint32_t>(wait.tasks.size());
  program.waits.edit().insert(program.waits.end(), wait.tasks.begin(), wait.tasks.end());
}

std::vector<std::uint32_t> before_in_stream(const Issued& program) {
  std::vector<std::uint32_t> before;
  std::vector<std::uint32_t> last(program.streams.size(), no_index);
  before.reserve(program.tasks.size());
  for (std::uint32_t t = 0; t < program.tasks.size(); ++t) {
    before.push_back(std::exchange(last[program.tasks[t].stream], t));
  }
  return before;
}

class Constraints {
 public:
  Constraints(const Trace& trace, const IssuedWork& work)
      : before_(before_in_stream(work.program)) {
    const ConstraintContext context{trace, work.program, work.times, work.polls, before_};
    for (const Constraint* one : constraints()) {
      if (one->tasks) tasks_.push_back(one->tasks(context));
      if (one->calls) calls_.emplace_back(one->cause, one->calls(context));
    }
  }

  void task(const Walk& walk, std::uint32_t task, EdgeList& edges) const {
    for (const auto& constraint : tasks_) constraint->task(walk, task, edges);
  }

  void step(const Walk& walk, std::uint32_t step, std::vector<CallWait>& waits) const {
    for (const auto& [cause, constraint] : calls_) {
      if (auto waited_for = constraint->waited_for(walk, step)) {
        waits.push_back({cause, step, std::move(*waited_for)});
        return;
      }
    }
  }

 private:
  std::vector<std::uint32_t> before_;
  std::vector<std::unique_ptr<TaskConstraint>> tasks_;
  std::vector<std::pair<Cause, std::unique_ptr<CallConstraint>>> calls_;
};

// Sorts the edges by the task to which they lead. Edges to one task stay in the order in which they
// were found, which is the order of constraints(). If several edges release the task at the same
// time, the first of them becomes the task's binding.
void settle(EdgeList& list, Program& program) {
  std::ranges::stable_sort(list.entries, {}, &NewEdge::to);
  std::vector<std::uint32_t> begin(program.tasks.size() + 1);
  std::vector<Edge> edges;
  edges.reserve(list.entries.size());
  for (const NewEdge& entry : list.entries) {
    edges.push_back(entry.edge);
    ++begin[entry.to + 1];
  }
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  program.edges = std::move(edges);
  program.edge_begin = std::move(begin);
}

}  // namespace

// A launch waited for nothing if it returned before its kernel had ended.
std::optional<Ns> measure_quick_call(const Trace& trace, const Issued& program,
                                     const Times& times) {
  std::vector<Ns> launches;
  for (std::uint32_t t = 0; t < program.tasks.size(); ++t) {
    const Task& task = program.tasks[t];
    if (task.op == no_index || task.step == no_index) continue;
    const Step& step = program.steps[task.step];
    if (trace.calls.kind[step.call] != CallKind::launch || step.loads) continue;
    const Interval& call = times.steps[task.step];
    if (times.tasks[t].end > call.end + assumed::clock_tolerance) launches.push_back(call.length());
  }
  return typical_of(launches);
}

Program collect_constraints(const Trace& trace, IssuedWork work, Ns quick_call) {
  Walk walk(trace, work.program, work.times);
  const Constraints all(trace, work);
  EdgeList edges(work.times);
  std::vector<CallWait> waits;
  for (const Command& command : commands_of(trace, work.program, work.times, work.issued_at)) {
    switch (command.kind) {
      case CommandKind::task:
        walk.begin_task(command.index);
        all.task(walk, command.index, edges);
        walk.pass_task(command.index);
        break;
      case CommandKind::wait_event:
        walk.pass_wait(trace.synchronizations[command.index]);
        break;
      case CommandKind::record_event:
        walk.pass_record(trace.event_records[command.index]);
        break;
      case CommandKind::step:
        all.step(walk, command.index, waits);
        break;
    }
  }
  Program program{std::move(work.program)};
  for (CallWait& wait : waits) add_wait(std::move(wait), quick_call, work.times, program);
  settle(edges, program);
  return program;
}

}  // namespace lapscope::analyzer
