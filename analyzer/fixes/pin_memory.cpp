#include <algorithm>
#include <array>

#include "analyzer/fixes/edit.h"
#include "analyzer/fixes/fix.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

// Bytes per ns that the quickest pinned copy of an engine went at; 0 when the trace has none.
double best_rate(const Trace& trace, std::size_t device, Engine engine) {
  const Ops& ops = trace.devices[device].ops;
  double best = 0;
  for (std::size_t op = 0; op < ops.size(); ++op) {
    const std::int64_t length = ops.end[op] - ops.start[op];
    if (ops.engine[op] != engine || ops.bytes[op] < assumed::large_copy || length <= 0) continue;
    if ((ops.memory[op] & (source_pageable | target_pageable)) != 0) continue;
    best = std::max(best, static_cast<double>(ops.bytes[op]) / static_cast<double>(length));
  }
  return best;
}

// A blocking copy of page-locked memory still waits for its end (docs/implicit-sync.md): what is
// gained is that the copy itself is faster.
void wait_for_own_tasks(Step& step, Graph& graph) {
  make_quick(step, graph.quick_call);
  step.cause = Cause::host_sync;
  step.tail = std::min(step.tail, graph.quick_call);
  step.first_wait = static_cast<std::uint32_t>(graph.waits.size());
  step.wait_count = step.task_count;
  for (std::uint32_t t = step.first_task; t < step.first_task + step.task_count; ++t) {
    graph.waits.push_back(t);
  }
}

// What pinned copies go at, in bytes per ns, by engine: as the trace shows it, else as it shows it
// of the other direction, else what the link should give; 0 when that is not known.
struct Rates {
  std::array<double, all_engines.size()> of{};
  bool is_assumed = false;
};

Rates pinned_rates(const Trace& trace, std::size_t device) {
  const double to_device = best_rate(trace, device, Engine::h2d);
  const double to_host = best_rate(trace, device, Engine::d2h);
  const auto link = trace.devices[device].links.host;
  double other = std::max(to_device, to_host);
  Rates rates;
  rates.is_assumed = other == 0 && link;
  if (rates.is_assumed) other = static_cast<double>(*link) / 1e9 * assumed::share_of_link;
  rates.of[static_cast<std::size_t>(Engine::h2d)] = to_device > 0 ? to_device : other;
  rates.of[static_cast<std::size_t>(Engine::d2h)] = to_host > 0 ? to_host : other;
  return rates;
}

std::vector<Rates> pinned_rates(const Trace& trace) {
  std::vector<Rates> rates;  // by device
  for (std::size_t d = 0; d < trace.devices.size(); ++d) rates.push_back(pinned_rates(trace, d));
  return rates;
}

void apply_pin_memory(const Trace& trace, double, Graph& graph) {
  const std::vector<Rates> rates = pinned_rates(trace);
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    Task& task = graph.tasks[t];
    if (task.op == no_index) continue;
    const Ops& ops = trace.devices[task.device].ops;
    if ((ops.memory[task.op] & (source_pageable | target_pageable)) == 0) continue;
    const double rate = rates[task.device].of[static_cast<std::size_t>(task.engine)];
    if (rate > 0) {
      if (rates[task.device].is_assumed) graph.stand_ins.insert(assumed::share_of_link.name);
      const double work = static_cast<double>(ops.bytes[task.op]) / rate;
      if (work < static_cast<double>(task.work)) task.work = static_cast<std::int64_t>(work);
    }
    Binding& binding = graph.bindings[t];
    if (binding.from == no_index) binding.lag = std::min(binding.lag, graph.quick_call);
  }
  for (Step& step : graph.steps) {
    if (step.cause != Cause::pageable_copy) continue;
    if (trace.calls.kind[step.call] == CallKind::copy_blocking) {
      wait_for_own_tasks(step, graph);
    } else {
      make_quick(step, graph.quick_call);
    }
  }
}

// The time of small copies is not that of the link.
std::string unknown(const Trace& trace, const Graph& graph) {
  const std::vector<Rates> rates = pinned_rates(trace);
  for (const Task& task : graph.tasks) {
    if (task.op == no_index || (task.engine != Engine::h2d && task.engine != Engine::d2h)) continue;
    const Ops& ops = trace.devices[task.device].ops;
    if ((ops.memory[task.op] & (source_pageable | target_pageable)) == 0) continue;
    if (ops.bytes[task.op] < assumed::large_copy) continue;
    if (rates[task.device].of[static_cast<std::size_t>(task.engine)] > 0) continue;
    const std::string engine(name_of(task.engine));
    return "How fast page-locked memory is copied " + engine +
           " is not known: the trace has no such copy of " +
           std::to_string(assumed::large_copy >> 20) +
           " MiB or more, nor the rate of the link. "
           "Record one, or tell whatif how many times as fast such copies are (scale " +
           engine + ").";
  }
  return {};
}

}  // namespace

double pinned_rate(const Trace& trace, std::size_t device, Engine engine) {
  return pinned_rates(trace, device).of[static_cast<std::size_t>(engine)];
}

// Calls of cudaMemcpyAsync no longer tell the host that the data are there, or taken.
const Fix pin_memory{Cause::pageable_copy,
                     "pageable memory is page-locked",
                     "",
                     true,
                     apply_pin_memory,
                     nullptr,
                     unknown};

}  // namespace lapscope::analyzer
