#include "analyzer/gaps/explain_gap.h"

#include <algorithm>

namespace lapscope::analyzer {

GapExplainer::GapExplainer(const Sources& sources, std::uint16_t device)
    : sources_(sources), tasks_(sources.trace.devices[device].ops.size(), no_index) {
  for (std::uint32_t t = 0; t < sources.graph.tasks.size(); ++t) {
    const Task& task = sources.graph.tasks[t];
    if (task.op != no_index && task.device == device) tasks_[task.op] = t;
  }
}

std::vector<std::vector<GapPart>> GapExplainer::explain(std::span<const Interval> gaps,
                                                        std::uint32_t next_op) const {
  std::vector<std::vector<GapPart>> parts;
  if (gaps.empty()) return parts;
  if (next_op == no_index || tasks_[next_op] == no_index) {
    const Cause cause = next_op == no_index ? Cause::not_issued : Cause::unexplained;
    for (const Interval& gap : gaps) parts.push_back({{gap, cause}});
    return parts;
  }
  const auto path = critical_path(sources_, tasks_[next_op], {gaps.front().start, gaps.back().end});
  auto next = path.begin();  // the parts fill the time from the first gap to the last
  for (const Interval& gap : gaps) {
    std::vector<GapPart>& of_gap = parts.emplace_back();
    while (next->interval.end <= gap.start) ++next;
    // What reaches over the gap's end may reach into the next one.
    for (auto at = next; at != path.end() && at->interval.start < gap.end; ++at) {
      GapPart part = part_of(*at);
      part.interval = {std::max(part.interval.start, gap.start),
                       std::min(part.interval.end, gap.end)};
      if (!of_gap.empty() && of_gap.back().cause == part.cause && of_gap.back().call == part.call &&
          of_gap.back().thread == part.thread) {
        of_gap.back().interval.end = part.interval.end;
      } else {
        of_gap.push_back(part);
      }
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
