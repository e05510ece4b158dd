#include <algorithm>
#include <numeric>
#include <utility>

#include "analyzer/graph/building.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

// Of calls that began in the same nanosecond none can have waited for what the other issued, or two
// threads could wait for each other.
bool was_issued_before(const Graph& graph, std::uint32_t task, std::uint32_t step) {
  const std::uint32_t issue = graph.tasks[task].step;
  if (issue == no_index || issues_at(graph.steps[issue]) < issues_at(graph.steps[step])) {
    return true;
  }
  return thread_of(graph, step).first <= issue && issue <= step;
}

// Launches that were back before their kernels had ended waited for nothing.
void measure_quick_call(const Trace& trace, Graph& graph) {
  std::vector<std::int64_t> launches;
  for (const Task& task : graph.tasks) {
    if (task.op == no_index || task.step == no_index) continue;
    const Step& step = graph.steps[task.step];
    if (trace.calls.kind[step.call] != CallKind::launch || step.loads) continue;
    if (task.end > step.end + assumed::clock_tolerance) launches.push_back(step.end - step.start);
  }
  const auto typical = typical_of(launches);
  graph.quick_call = typical.value_or(graph.stand_in_values.quick_call);
  if (!typical) graph.stand_ins.insert(assumed::quick_call.name);
}

void add_wait(Cause cause, std::vector<std::uint32_t> tasks, Graph& graph, std::uint32_t waiting) {
  Step& step = graph.steps.edit()[waiting];
  step.cause = cause;
  std::erase_if(tasks, [&](std::uint32_t t) { return !was_issued_before(graph, t, waiting); });
  if (tasks.empty()) return;
  std::int64_t until = step.start;
  for (const std::uint32_t task : tasks) until = std::max(until, graph.tasks[task].end);
  const std::int64_t all = step.end - step.start;
  const bool waited = until > step.start;
  step.busy = waited ? std::min(graph.quick_call, all) : all;
  step.tail =
      waited ? std::max<std::int64_t>(0, step.end - until) : std::min(graph.quick_call, all);
  step.first_wait = static_cast<std::uint32_t>(graph.waits.size());
  step.wait_count = static_cast<std::uint32_t>(tasks.size());
  graph.waits.edit().insert(graph.waits.end(), tasks.begin(), tasks.end());
}

std::vector<std::uint32_t> before_in_stream(const Graph& graph) {
  std::vector<std::uint32_t> before;
  std::vector<std::uint32_t> last(graph.streams.size(), no_index);
  before.reserve(graph.tasks.size());
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    before.push_back(std::exchange(last[graph.tasks[t].stream], t));
  }
  return before;
}

// Makes of all constraints what looks at tasks, and what looks at calls.
class Constraints {
 public:
  Constraints(const Trace& trace, const Graph& graph, std::vector<Poll> polls)
      : polls_(std::move(polls)), before_(before_in_stream(graph)) {
    const CallContext context{trace, graph, polls_, before_};
    for (const Constraint* one : constraints()) {
      if (one->tasks) tasks_.push_back(one->tasks(trace, graph));
      if (one->calls) calls_.emplace_back(one->cause, one->calls(context));
    }
  }

  void task(const Walk& walk, std::uint32_t task, EdgeList& edges) const {
    for (const auto& constraint : tasks_) constraint->task(walk, task, edges);
  }

  void step(const Walk& walk, std::uint32_t step, Graph& graph) const {
    for (const auto& [cause, constraint] : calls_) {
      if (auto waited_for = constraint->waited_for(walk, step)) {
        add_wait(cause, std::move(*waited_for), graph, step);
        return;
      }
    }
  }

 private:
  std::vector<Poll> polls_;
  std::vector<std::uint32_t> before_;
  std::vector<std::unique_ptr<TaskConstraint>> tasks_;
  std::vector<std::pair<Cause, std::unique_ptr<CallConstraint>>> calls_;
};

// Puts the edges in order of the task that they lead to; of two from the same task the first found
// stays, which is the more fundamental one.
void settle(EdgeList& list, Graph& graph) {
  graph.contradicted = list.contradicted;
  std::stable_sort(list.entries.begin(), list.entries.end(),
                   [](const EdgeList::Entry& a, const EdgeList::Entry& b) { return a.to < b.to; });
  std::vector<std::uint32_t> begin(graph.tasks.size() + 1);
  std::vector<Edge> edges;
  edges.reserve(list.entries.size());
  for (const EdgeList::Entry& entry : list.entries) {
    edges.push_back(entry.edge);
    ++begin[entry.to + 1];
  }
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  graph.edges = std::move(edges);
  graph.edge_begin = std::move(begin);
}

}  // namespace

void collect_constraints(const Trace& trace, Graph& graph) {
  time_host_functions(trace, graph);
  std::vector<Poll> polls = merge_polling(trace, graph);
  measure_quick_call(trace, graph);
  Walk walk(trace, graph);
  const Constraints all(trace, graph, std::move(polls));
  EdgeList edges(graph.tasks);
  for (const Command& command : commands_of(trace, graph)) {
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
        all.step(walk, command.index, graph);
        break;
    }
  }
  settle(edges, graph);
  // It has served its purpose: nobody knows how long such a task took to get on its way.
  for (Task& task : graph.tasks.edit()) {
    if (task.step == no_index && task.op != no_index) task.issue_offset = 0;
  }
  if (graph.waits.empty()) graph.stand_ins.erase(assumed::quick_call.name);  // was not needed
}

}  // namespace lapscope::analyzer
