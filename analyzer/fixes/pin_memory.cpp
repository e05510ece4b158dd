#include <algorithm>
#include <numeric>

#include "analyzer/fixes/edit.h"
#include "analyzer/fixes/fix.h"
#include "analyzer/graph/copy_rates.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

// A blocking copy of page-locked memory still waits for its end (docs/implicit-sync.md): what is
// gained is that the copy itself is faster.
void wait_for_own_tasks(Step& step, Graph& graph) {
  make_quick(step, graph.quick_call);
  step.cause = Cause::host_sync;
  step.tail = std::min(step.tail, graph.quick_call);
  std::vector<std::uint32_t> own(step.task_count);
  std::iota(own.begin(), own.end(), step.first_task);
  set_waits(own, step, graph);
}

void apply_pin_memory(const Trace& trace, double, Graph& graph) {
  const std::vector<CopyRates> rates = copy_rates(trace);
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    const Task& task = graph.tasks[t];
    if (!is_pageable(trace, task)) continue;
    const Ops& ops = trace.devices[task.device].ops;
    const double rate = rates[task.device].of(task.engine);
    if (rate > 0) {
      if (rates[task.device].is_assumed) graph.stand_ins.insert(assumed::share_of_link.name);
      const double work = static_cast<double>(ops.bytes[task.op]) / rate;
      if (work < static_cast<double>(task.work)) {
        graph.tasks.edit()[t].work = static_cast<std::int64_t>(work);
      }
    }
    shorten_way(t, graph);
  }
  for (std::uint32_t s = 0; s < graph.steps.size(); ++s) {
    if (graph.steps[s].cause != Cause::pageable_copy) continue;
    Step& step = graph.steps.edit()[s];
    if (trace.calls.kind[step.call] == CallKind::copy_blocking) {
      wait_for_own_tasks(step, graph);
    } else {
      make_quick(step, graph.quick_call);
    }
  }
}

// The time of small copies is not that of the link.
std::string unknown(const Trace& trace, const Graph& graph) {
  const std::vector<CopyRates> rates = copy_rates(trace);
  for (const Task& task : graph.tasks) {
    if (!is_pageable(trace, task)) continue;
    if (task.engine != Engine::h2d && task.engine != Engine::d2h) continue;
    const Ops& ops = trace.devices[task.device].ops;
    if (ops.bytes[task.op] < assumed::large_copy) continue;
    if (rates[task.device].of(task.engine) > 0) continue;
    const std::string engine(name_of(task.engine));
    return "How fast page-locked memory is copied " + engine +
           " is not known: the trace has no such copy of " +
           std::to_string(assumed::large_copy >> 20) +
           " MiB or more, nor the rate of the link. "
           "Record one, or give whatif their speed-up (scale " +
           engine + ").";
  }
  return {};
}

}  // namespace

// Calls of cudaMemcpyAsync no longer tell the host that the data are there, or taken.
const Fix pin_memory{Cause::pageable_copy,
                     "pageable memory is page-locked",
                     "",
                     true,
                     apply_pin_memory,
                     nullptr,
                     unknown};

}  // namespace lapscope::analyzer
