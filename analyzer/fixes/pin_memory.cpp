#include <algorithm>
#include <numeric>

#include "analyzer/fixes/fix.h"
#include "analyzer/graph/copy_rates.h"
#include "analyzer/intervals/units.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

// Makes a blocking copy call wait for its own copy. Such a call waits even with page-locked memory
// (docs/implicit-sync.md), so the fix makes only the copy faster.
void wait_for_own_tasks(std::uint32_t s, Edits& edits) {
  const Ns quick_call = edits.program().quick_call;
  edits.make_quick(s, quick_call);
  Step& step = edits.steps.edit(s);
  step.cause = Cause::host_sync;
  step.return_latency = std::min(step.return_latency, quick_call);
  std::vector<std::uint32_t> own(step.task_count);
  std::iota(own.begin(), own.end(), step.first_task);
  edits.set_waits(s, own);
}

Edits pin_memory_edits(const Trace& trace, const Graph& graph, double) {
  Edits edits(graph);
  const std::vector<CopyRates> rates = copy_rates(trace);
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    const Task& task = graph.tasks[t];
    if (!is_pageable(trace, task)) continue;
    const Ops& ops = trace.devices[task.device].ops;
    const double rate = rates[task.device].of(task.engine);
    if (rate > 0) {
      if (rates[task.device].is_assumed) edits.stand_ins.insert(assumed::share_of_link.name);
      const double work = static_cast<double>(ops.bytes[task.op]) / rate;
      if (work < static_cast<double>(graph.lengths[t].work)) {
        edits.lengths.edit(t).work = static_cast<std::int64_t>(work);
      }
    }
    edits.shorten_way(t);
  }
  for (std::uint32_t s = 0; s < graph.steps.size(); ++s) {
    if (graph.steps[s].cause != Cause::pageable_copy) continue;
    if (trace.calls.kind[graph.steps[s].call] == CallKind::copy_blocking) {
      wait_for_own_tasks(s, edits);
    } else {
      edits.make_quick(s, graph.quick_call);
    }
  }
  return edits;
}

// Returns the engine of a large pageable copy whose copy rate is not known. Returns nothing if
// there is no such copy. Small copies are ignored, because their duration does not depend on the
// rate of the link.
std::optional<Engine> unknown(const Trace& trace, const Graph& graph) {
  const std::vector<CopyRates> rates = copy_rates(trace);
  for (const Task& task : graph.tasks) {
    if (!is_pageable(trace, task)) continue;
    if (task.engine != Engine::h2d && task.engine != Engine::d2h) continue;
    const Ops& ops = trace.devices[task.device].ops;
    if (ops.bytes[task.op] < assumed::large_copy) continue;
    if (rates[task.device].of(task.engine) > 0) continue;
    return task.engine;
  }
  return std::nullopt;
}

}  // namespace

// With page-locked memory, cudaMemcpyAsync returns before the copy has ended. But a program may
// expect that the data have arrived, or that the source buffer has been read, when the call
// returns. So the fix needs a judgement.
const Fix pin_memory{Cause::pageable_copy, false, true, pin_memory_edits, nullptr, unknown};

}  // namespace lapscope::analyzer
