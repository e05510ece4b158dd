#include "analyzer/graph/build_graph.h"

#include "analyzer/graph/building.h"

namespace lapscope::analyzer {

Graph build_graph(const Trace& trace, Interval issued, const std::vector<bool>& communication) {
  Kernels kernels = kernels_of(trace, communication);
  IssuedWork work =
      collect_tasks(trace, issued, communication, kernels, collect_steps(trace, issued));
  const auto quick_call = measure_quick_call(trace, work.program, work.times);

  Parameters parameters;
  parameters.quick_call = quick_call.value_or(assumed::quick_call);
  parameters.uses = std::move(kernels.uses);
  parameters.demands = std::move(kernels.demands);
  parameters.issue_offsets = std::move(work.issue_offsets);

  const Times times = work.times;
  Program program = collect_constraints(trace, std::move(work), parameters.quick_call);
  program = collect_turns(trace, times, std::move(program));
  program = collect_collectives(trace, times, std::move(program));

  if (!quick_call && !program.waits.empty()) parameters.stand_ins.insert(assumed::quick_call.name);
  measure_engines(trace, program, times, parameters);
  find_bindings(program, times, parameters);
  share_work(program, times, parameters);
  return {std::move(program), std::move(parameters), times};
}

}  // namespace lapscope::analyzer
