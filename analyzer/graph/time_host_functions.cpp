#include <algorithm>

#include "analyzer/graph/building.h"
#include "analyzer/graph/launched_graphs.h"
#include "analyzer/model/assumptions.h"
#include "analyzer/model/rules.h"

namespace lapscope::analyzer {
namespace {

// Whether a task starts directly after its issue. If so, its start does not show when earlier work
// in its stream ended.
bool starts_when_issued(const Task& task, Ns start, const Times& recorded) {
  return task.step != no_index && start <= recorded.steps[task.step].end + assumed::start_at_once;
}

// Delays the starts of host functions so that the functions run one after the other, because one
// thread of the driver runs them all.
void one_after_the_other(std::vector<std::uint32_t>& functions, std::vector<Interval>& times) {
  if (!rule::host_functions_in_turn) return;
  std::stable_sort(functions.begin(), functions.end(), [&times](std::uint32_t a, std::uint32_t b) {
    return times[a].end < times[b].end;
  });
  Ns free = 0;
  for (const std::uint32_t function : functions) {
    Interval& time = times[function];
    time.start = std::clamp(free, time.start, time.end);
    free = time.end;
  }
}

}  // namespace

// A host function begins when the task before it in its stream has ended and no other host function
// runs. The function ends assumed::quick_call before the next task of its stream starts. But if the
// next task starts directly after its issue, it did not wait for the function. So the end of the
// function is not known, and the function is assumed to take no time.
std::vector<Interval> with_host_functions(const Trace& trace, const Issued& program,
                                          const Times& recorded) {
  std::vector<Interval> times = recorded.tasks.values();
  const std::vector<std::uint32_t> counts_in = streams_counted_in(trace, program);
  std::vector<std::vector<std::uint32_t>> open(program.streams.size());
  std::vector<Ns> ended(program.streams.size(), 0);
  std::vector<std::uint32_t> functions;
  for (std::uint32_t i = 0; i < program.tasks.size(); ++i) {
    const Task& task = program.tasks[i];
    Interval& time = times[i];
    const std::uint32_t stream = counts_in[i];
    if (task.is_host_function()) {
      functions.push_back(i);
      if (task.function_node == no_index) {
        time.start = std::max(ended[stream], recorded.steps[task.step].end);
        time.end = time.start;
        open[stream].assign(1, i);
        continue;
      }
      // The nodes around a host function in a graph show its start and end. At the begin or the end
      // of the graph, one of these nodes is missing.
      const bool is_first = program.steps[task.step].first_task == i;
      if (is_first) time.start = std::clamp(ended[stream], time.start, time.end);
      if (time.end != latest_time) continue;
      time.end = time.start;
      open[stream].push_back(i);
      continue;
    }
    std::erase_if(open[stream], [&](std::uint32_t function) {
      if (program.tasks[function].step == task.step) return false;  // another branch of its graph
      if (!rule::host_function_times || starts_when_issued(task, time.start, recorded)) return true;
      Interval& before = times[function];
      before.end = std::max(before.start, time.start - assumed::quick_call);
      return true;
    });
    ended[stream] = std::max(ended[stream], time.end);
  }
  one_after_the_other(functions, times);
  return times;
}

}  // namespace lapscope::analyzer
