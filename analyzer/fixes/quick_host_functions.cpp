#include "analyzer/fixes/edit.h"
#include "analyzer/fixes/fix.h"

namespace lapscope::analyzer {
namespace {

// What is left is the way to the host and back, which the latencies around the function are.
void apply(const Trace&, double, Graph& graph) {
  for (Task& task : graph.tasks) {
    if (task.kind == TaskKind::host_function) task.work = 0;
  }
}

}  // namespace

const Fix quick_host_functions{Cause::host_func, "host functions only wake another thread", "",
                               true, apply};

}  // namespace lapscope::analyzer
