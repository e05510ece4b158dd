#include "analyzer/findings/graph_names.h"

#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

std::string GraphNames::of_task(std::uint32_t t) const {
  const Task& task = sources_.graph.tasks[t];
  if (task.op == no_index) return "host function";
  return name_of_op(sources_.trace, sources_.trace.devices[task.device], task.op);
}

std::uint32_t GraphNames::call_of(std::uint32_t t) const {
  const std::uint32_t step = sources_.graph.tasks[t].step;
  return step == no_index ? no_index : sources_.graph.steps[step].call;
}

std::string GraphNames::function(std::uint32_t call) const {
  return function_name(sources_.trace.names.text(sources_.trace.calls.name[call]));
}

std::string GraphNames::thread(std::uint32_t call) const {
  if (call == no_index) return {};
  const Calls& calls = sources_.trace.calls;
  return "thread " + std::to_string(tid_of(calls.threads[calls.thread_of(call)].global_tid));
}

std::uint32_t GraphNames::range_around(std::uint32_t call) const {
  if (call == no_index) return no_index;
  const Calls& calls = sources_.trace.calls;
  return sources_.host.innermost_range(calls.threads[calls.thread_of(call)].global_tid,
                                       calls.start[call]);
}

std::string GraphNames::range(std::uint32_t range) const {
  if (range == no_index) return {};
  return sources_.trace.names.text(sources_.trace.ranges[range].name);
}

}  // namespace lapscope::analyzer
