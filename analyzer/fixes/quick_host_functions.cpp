#include <algorithm>

#include "analyzer/fixes/edit.h"
#include "analyzer/fixes/fix.h"

namespace lapscope::analyzer {
namespace {

// From the op before a host function that does nearly nothing to the op after it an H200 in a
// virtual machine took 170 to 700 us, one function after the other: waking the thread of the driver
// is most of it, and no fix of the function saves that.
constexpr std::int64_t way_to_the_host = 200'000;  // ns

void apply(const Trace&, double, Graph& graph) {
  for (Task& task : graph.tasks) {
    if (task.kind == TaskKind::host_function) task.work = std::min(task.work, way_to_the_host);
  }
}

}  // namespace

const Fix quick_host_functions{Cause::host_func, "host functions only wake another thread", "",
                               true, apply};

}  // namespace lapscope::analyzer
