#include "analyzer/gaps/explain_gap.h"

namespace lapscope::analyzer {

GapExplainer::GapExplainer(const Sources& sources, std::uint16_t device)
    : sources_(sources), tasks_(sources.trace.devices[device].ops.size(), no_index) {
  for (std::uint32_t t = 0; t < sources.graph.tasks.size(); ++t) {
    const Task& task = sources.graph.tasks[t];
    if (task.op != no_index && task.device == device) tasks_[task.op] = t;
  }
}

std::vector<GapPart> GapExplainer::explain(Interval gap, std::uint32_t next_op) const {
  if (next_op == no_index) return {{gap, Cause::not_issued}};
  if (tasks_[next_op] == no_index) return {{gap, Cause::unexplained}};
  std::vector<GapPart> parts;
  for (const PathPart& path : critical_path(sources_, tasks_[next_op], gap)) {
    const GapPart part = part_of(path);
    if (!parts.empty() && parts.back().cause == part.cause && parts.back().call == part.call &&
        parts.back().thread == part.thread) {
      parts.back().interval.end = part.interval.end;
    } else {
      parts.push_back(part);
    }
  }
  return parts;
}

GapPart GapExplainer::part_of(const PathPart& path) const {
  GapPart part{path.interval, path.cause};
  if (path.step == no_index || !is_of_host(path.cause)) return part;
  const Step& step = sources_.graph.steps[path.step];
  part.thread = sources_.trace.calls.thread_of(step.call);
  if (path.interval.start < step.end) part.call = step.call;
  return part;
}

}  // namespace lapscope::analyzer
