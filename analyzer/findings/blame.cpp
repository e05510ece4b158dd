#include "analyzer/findings/blame.h"

#include <algorithm>
#include <map>
#include <tuple>

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
  std::map<std::pair<BlameKind, std::string_view>, std::int64_t> time;
  for (const PathPart& part : path) {
    const std::string_view code = !part.is_work           ? code_of(part.cause)
                                  : part.device != device ? "other-device"
                                                          : name_of(part.engine);
    time[{part.is_work ? BlameKind::work : BlameKind::wait, code}] += part.interval.length();
  }
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

}  // namespace lapscope::analyzer
