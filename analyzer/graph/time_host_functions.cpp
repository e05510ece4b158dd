#include <algorithm>

#include "analyzer/graph/building.h"
#include "analyzer/graph/launched_graphs.h"
#include "analyzer/model/assumptions.h"
#include "analyzer/model/rules.h"

namespace lapscope::analyzer {
namespace {

// The stream that each task counts in, asked for in the order of the tasks.
class CountsIn {
 public:
  CountsIn(const Trace& trace, const Graph& graph) : graph_(graph), launches_(trace, graph) {}

  std::uint32_t of(const Task& task) {
    if (task.step == no_index || !graph_.steps[task.step].is_graph_launch) return task.stream;
    if (task.step != launch_) {
      launch_ = task.step;
      stream_ = launches_.stream_of(graph_.steps[launch_]);
    }
    return stream_;
  }

 private:
  const Graph& graph_;
  LaunchedGraphs launches_;
  std::uint32_t launch_ = no_index;
  std::uint32_t stream_ = 0;
};

// Whether a task starts about when it was issued: it shows of what is ahead of it in its stream
// that it had ended, and not when.
bool starts_when_issued(const Graph& graph, const Task& task) {
  return task.step != no_index && task.start <= graph.steps[task.step].end + assumed::start_at_once;
}

// One thread runs them all: each begins when no other one runs.
void one_after_the_other(std::vector<std::uint32_t>& functions, Graph& graph) {
  if (!rule::host_functions_in_turn) return;
  std::stable_sort(functions.begin(), functions.end(), [&graph](std::uint32_t a, std::uint32_t b) {
    return graph.tasks[a].end < graph.tasks[b].end;
  });
  std::int64_t free = 0;
  for (const std::uint32_t function : functions) {
    Task& task = graph.tasks.edit()[function];
    task.start = std::clamp(free, task.start, task.end);
    task.work = task.end - task.start;
    free = task.end;
  }
}

}  // namespace

// A host function ends shortly before the next task of its stream starts, and begins when the task
// before it has ended and no other one runs. It takes no time where the next task shows none. Its
// times are needed before edges can be checked against them.
void time_host_functions(const Trace& trace, Graph& graph) {
  CountsIn counts_in(trace, graph);
  std::vector<std::vector<std::uint32_t>> open(graph.streams.size());
  std::vector<std::int64_t> ended(graph.streams.size(), 0);
  std::vector<std::uint32_t> functions;
  for (std::uint32_t i = 0; i < graph.tasks.size(); ++i) {
    Task& task = graph.tasks.edit()[i];
    const std::uint32_t stream = counts_in.of(task);
    if (task.kind == TaskKind::host_function) {
      functions.push_back(i);
      if (task.function_node == no_index) {
        task.start = std::max(ended[stream], graph.steps[task.step].end);
        task.end = task.start;
        open[stream].assign(1, i);
        continue;
      }
      // The nodes around it told its times; of one that its graph begins with, but the end, and of
      // one that its graph ends with, but the start.
      const bool is_first = graph.steps[task.step].first_task == i;
      if (is_first) task.start = std::clamp(ended[stream], task.start, task.end);
      if (task.end != latest_time) continue;
      task.end = task.start;
      open[stream].push_back(i);
      continue;
    }
    std::erase_if(open[stream], [&](std::uint32_t function) {
      Task& before = graph.tasks.edit()[function];
      if (before.step == task.step) return false;  // another branch of its graph
      if (!rule::host_function_times || starts_when_issued(graph, task)) return true;
      before.end = std::max(before.start, task.start - assumed::quick_call);
      return true;
    });
    ended[stream] = std::max(ended[stream], task.end);
  }
  one_after_the_other(functions, graph);
}

}  // namespace lapscope::analyzer
