#include "analyzer/findings/blame.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "analyzer/findings/places.h"

namespace lapscope::analyzer {

std::string_view name_of(BlameKind kind) { return kind == BlameKind::work ? "work" : "wait"; }

std::vector<PathPart> critical_path(const Sources& sources, const GraphScope& scope) {
  const Graph& graph = sources.graph;
  if (scope.tasks.empty()) return {};
  // An op of 0 ns ends no gap, and no path if there is another one.
  const auto key = [&graph](std::uint32_t t) {
    const Task& task = graph.tasks[t];
    return std::make_tuple(task.end > task.start, task.end, t);
  };
  const std::uint32_t last =
      *std::max_element(scope.tasks.begin(), scope.tasks.end(),
                        [&key](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
  return critical_path(sources, last, scope.window);
}

std::vector<BlameRow> blame_of(std::span<const PathPart> path, std::uint16_t device) {
  std::array<std::int64_t, cause_count> waited{};
  std::array<std::int64_t, all_engines.size()> worked{};
  std::int64_t worked_elsewhere = 0;
  for (const PathPart& part : path) {
    std::int64_t& ns = !part.is_work           ? waited[static_cast<std::size_t>(part.cause)]
                       : part.device != device ? worked_elsewhere
                                               : worked[static_cast<std::size_t>(part.engine)];
    ns += part.interval.length();
  }
  std::map<std::pair<BlameKind, std::string_view>, std::int64_t> time;
  const auto note = [&time](BlameKind kind, std::string_view code, std::int64_t ns) {
    if (ns > 0) time[{kind, code}] += ns;
  };
  for (std::size_t cause = 0; cause < cause_count; ++cause) {
    note(BlameKind::wait, code_of(static_cast<Cause>(cause)), waited[cause]);
  }
  for (const Engine engine : all_engines) {
    note(BlameKind::work, name_of(engine), worked[static_cast<std::size_t>(engine)]);
  }
  note(BlameKind::work, "other-device", worked_elsewhere);
  std::vector<BlameRow> rows;
  for (const auto& [key, ns] : time) rows.push_back({key.second, key.first, ns});
  std::stable_sort(rows.begin(), rows.end(),
                   [](const BlameRow& a, const BlameRow& b) { return a.ns > b.ns; });
  return rows;
}

double unexplained_share(std::span<const BlameRow> blame, std::int64_t wall_ns) {
  if (wall_ns <= 0) return 0;
  std::int64_t ns = 0;
  for (const BlameRow& row : blame) {
    const bool is_nobodys =
        row.code == code_of(Cause::unexplained) || row.code == code_of(Cause::not_issued);
    if (is_nobodys) ns += row.ns;
  }
  return static_cast<double>(ns) / static_cast<double>(wall_ns);
}

namespace {

// By index, ascending; of equal lengths the first ones.
std::vector<std::size_t> longest_parts(std::span<const PathPart> path, std::size_t most) {
  std::vector<std::size_t> parts(path.size());
  for (std::size_t i = 0; i < parts.size(); ++i) parts[i] = i;
  if (parts.size() > most) {
    std::nth_element(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(most), parts.end(),
                     [path](std::size_t a, std::size_t b) {
                       const std::int64_t first = path[a].interval.length();
                       const std::int64_t second = path[b].interval.length();
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

  // What the parts [first, last) of a path are.
  PathStretch stretch(std::span<const PathPart> parts) const {
    PathStretch stretch;
    stretch.interval = {parts.front().interval.start, parts.back().interval.end};
    stretch.parts = blame_of(parts, device_);
    stretch.merged = static_cast<std::int64_t>(parts.size());
    if (parts.size() > 1) return stretch;
    if (parts.front().task != no_index) stretch.op = op(parts.front().task);
    if (parts.front().step != no_index) stretch.call = call(parts.front().step);
    return stretch;
  }

 private:
  std::optional<PathOp> op(std::uint32_t t) const {
    const Task& task = sources_.recorded().tasks[t];
    if (task.op == no_index) return std::nullopt;
    return PathOp{names_.of_task(t),
                  sources_.trace.devices[task.device].id,
                  sources_.graph.streams[task.stream].id,
                  {task.start, task.end}};
  }
  PathCall call(std::uint32_t s) const {
    const Step& step = sources_.recorded().steps[s];
    return {names_.function(step.call), names_.thread(step.call), {step.start, step.end}};
  }

  Sources sources_;
  GraphNames names_;
  std::uint16_t device_;
};

}  // namespace

std::vector<PathStretch> stretches_of(const Sources& sources, std::span<const PathPart> path,
                                      std::uint16_t device, std::size_t most) {
  const PathDescriber describer(sources, device);
  std::vector<PathStretch> stretches;
  std::size_t begin = 0;  // of the parts that are described next
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

void describe_path(const Sources& sources, const GraphScope& scope, std::size_t most,
                   CausesResult& result) {
  const std::vector<PathPart> path = critical_path(sources, scope);
  result.blame = blame_of(path, scope.device);
  result.unexplained_share = unexplained_share(result.blame, scope.window.length());
  result.critical_path = stretches_of(sources, path, scope.device, most);
}

}  // namespace lapscope::analyzer
