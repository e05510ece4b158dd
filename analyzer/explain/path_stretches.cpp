#include "analyzer/explain/path_stretches.h"

#include <algorithm>

#include "analyzer/explain/places.h"

namespace lapscope::analyzer {
namespace {

// Returns the indices of the `most` longest parts, ascending. Of parts with equal lengths, takes
// the earlier ones.
std::vector<std::size_t> longest_parts(std::span<const Part> path, std::size_t most) {
  std::vector<std::size_t> parts(path.size());
  for (std::size_t i = 0; i < parts.size(); ++i) parts[i] = i;
  if (parts.size() > most) {
    std::nth_element(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(most), parts.end(),
                     [path](std::size_t a, std::size_t b) {
                       const Ns first = path[a].interval.length();
                       const Ns second = path[b].interval.length();
                       return first > second || (first == second && a < b);
                     });
    parts.resize(most);
    std::sort(parts.begin(), parts.end());
  }
  return parts;
}

class PathDescriber {
 public:
  PathDescriber(const Sources& sources, std::uint16_t device)
      : sources_(sources), names_(sources), device_(device) {}

  // Describes consecutive parts of a path as one interval.
  PathStretch stretch(std::span<const Part> parts) const {
    PathStretch stretch;
    stretch.interval = {parts.front().interval.start, parts.back().interval.end};
    stretch.parts = blame_of(parts, device_);
    stretch.merged = static_cast<std::int64_t>(parts.size());
    if (parts.size() > 1) return stretch;
    const Part& part = parts.front();
    if (part.task != no_index) stretch.op = op(part.task);
    if (part.step == no_index) return stretch;
    stretch.call = call(part.is_gap ? call_before(part.step) : part.step);
    return stretch;
  }

 private:
  std::optional<PathOp> op(std::uint32_t t) const {
    const Task& task = sources_.graph.tasks[t];
    if (task.op == no_index) return std::nullopt;
    return PathOp{names_.of_task(t), sources_.trace.devices[task.device].id,
                  sources_.graph.streams[task.stream].id, sources_.recorded_time_of(t)};
  }
  // Returns the previous step of the thread that made step `s`. If `s` is the thread's first step,
  // returns the step that created the thread.
  std::uint32_t call_before(std::uint32_t s) const {
    return thread_of(sources_.graph, s).first != s ? s - 1 : sources_.graph.steps[s].after;
  }
  PathCall call(std::uint32_t s) const {
    const std::uint32_t call = sources_.graph.steps[s].call;
    return {names_.function(call), names_.thread(call), sources_.recorded_time_of_step(s)};
  }

  Sources sources_;
  GraphNames names_;
  std::uint16_t device_;
};

}  // namespace

std::vector<PathStretch> stretches_of(const Sources& sources, std::span<const Part> path,
                                      std::uint16_t device, std::size_t most) {
  const PathDescriber describer(sources, device);
  std::vector<PathStretch> stretches;
  std::size_t begin = 0;  // the first part that is not described yet
  const auto describe_until = [&](std::size_t end) {
    if (begin < end) stretches.push_back(describer.stretch(path.subspan(begin, end - begin)));
    begin = end;
  };
  for (const std::size_t part : longest_parts(path, most)) {
    describe_until(part);
    describe_until(part + 1);
  }
  describe_until(path.size());
  return stretches;
}

}  // namespace lapscope::analyzer
