#include <algorithm>

#include "analyzer/fixes/edit.h"
#include "analyzer/fixes/fix.h"

namespace lapscope::analyzer {
namespace {

// From the op before a host function that does nearly nothing to the op after it an H200 in a
// virtual machine took 170 to 700 us, one function after the other: waking the thread of the driver
// is most of it, and no fix of the function saves that.
constexpr std::int64_t usual_way = 200'000;  // ns

// The way to the host and back: no longer than the shortest time that a function of this trace took
// in all. Functions whose stream was not told do not count: if it was guessed wrongly, they were
// not between the ops that their time is from. Nor does one that nothing follows.
std::int64_t way_to_the_host(const Trace& trace, const Graph& graph) {
  std::int64_t shortest = usual_way;
  for (const Task& task : graph.tasks) {
    if (task.kind != TaskKind::host_function || task.end == task.start) continue;
    const CallStream* told = stream_of_call(trace, graph.steps[task.step].call);
    if (told && told->stream != no_index) shortest = std::min(shortest, task.end - task.start);
  }
  return shortest;
}

void apply(const Trace& trace, double, Graph& graph) {
  const std::int64_t way = way_to_the_host(trace, graph);
  for (Task& task : graph.tasks) {
    if (task.kind == TaskKind::host_function) task.work = std::min(task.work, way);
  }
}

}  // namespace

const Fix quick_host_functions{Cause::host_func, "host functions only wake another thread", "",
                               true, apply};

}  // namespace lapscope::analyzer
