#include "tests/analyzer/support/graph_tables.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>
#include <stdexcept>

#include "analyzer/explain/walk_back.h"
#include "analyzer/graph/build_graph.h"
#include "analyzer/replay/replay.h"

namespace lapscope::test {

using analyzer::Binding;
using analyzer::Cause;
using analyzer::Graph;
using analyzer::no_index;
using analyzer::Task;

namespace {

// Returns the tasks with these names, in the order of `names`. If `names` is empty, returns all
// tasks, ordered by name.
std::vector<std::uint32_t> tasks_of(const Program& program, const Graph& graph,
                                    std::string_view names) {
  std::vector<std::uint32_t> tasks;
  std::istringstream stream{std::string(names)};
  for (std::string name; stream >> name;) tasks.push_back(task_of(program, graph, name));
  if (!tasks.empty()) return tasks;
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) tasks.push_back(t);
  std::sort(tasks.begin(), tasks.end(), [&](std::uint32_t a, std::uint32_t b) {
    return name_of(program, graph, a) < name_of(program, graph, b);
  });
  return tasks;
}

template <class When>
Lines runs_of(const Program& program, const Graph& graph, When when) {
  Lines lines;
  for (const std::uint32_t t : tasks_of(program, graph, "")) {
    const analyzer::Interval interval = when(t);
    lines.push_back(name_of(program, graph, t) + ' ' + length_of(program, interval.start) + " to " +
                    length_of(program, interval.end));
  }
  return lines;
}

}  // namespace

std::string name_of(const Program& program, const Graph& graph, std::uint32_t task) {
  const Task& own = graph.tasks[task];
  if (own.function_node != no_index) {
    return std::string(1,
                       static_cast<char>(program.trace.topology.host_functions[own.function_node]));
  }
  if (own.op == no_index) return program.calls[graph.steps[own.step].call];
  return program.ops[own.device][own.op];
}

std::uint32_t task_of(const Program& program, const Graph& graph, std::string_view name) {
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    if (name_of(program, graph, t) == name) return t;
  }
  throw std::invalid_argument("no op is called " + std::string(name));
}

const analyzer::Step& step_of(const Program& program, const Graph& graph, std::string_view call) {
  const auto found =
      std::find_if(graph.steps.begin(), graph.steps.end(),
                   [&](const analyzer::Step& step) { return program.calls[step.call] == call; });
  if (found == graph.steps.end()) {
    throw std::invalid_argument("no call is drawn as " + std::string(call));
  }
  return *found;
}

const analyzer::Interval& time_of(const Program& program, const Graph& graph,
                                  std::string_view call) {
  return graph.times
      .steps[static_cast<std::size_t>(&step_of(program, graph, call) - &graph.steps[0])];
}

std::string length_of(const Program& program, std::int64_t ns) {
  std::ostringstream text;
  text << std::round(static_cast<double>(ns) / static_cast<double>(program.unit) * 1000) / 1000;
  return text.str();
}

Graph graph_of(const analyzer::Trace& trace) {
  return analyzer::build_graph(trace, {0, analyzer::latest_time + 1});
}

Cause cause_of(const Program& program, const Graph& graph, std::uint32_t t) {
  const Binding& binding = graph.bindings[t];
  if (binding.from != no_index || graph.tasks[t].step == no_index) return binding.cause;
  std::int64_t first_start = analyzer::latest_time;
  for (const auto& time : graph.times.tasks) first_start = std::min(first_start, time.start);
  const analyzer::HostTimeline host(program.trace);
  std::vector<analyzer::Part> parts;
  analyzer::TaskWaits({program.trace, host, graph}, std::span(&t, 1),
                      {first_start, analyzer::latest_time})
      .add_parts(t, parts);
  std::map<Cause, std::int64_t> times;
  for (const analyzer::Part& part : parts) {
    times[analyzer::mended_with(part.cause)] += part.interval.length();
  }
  const auto most = std::max_element(
      times.begin(), times.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == times.end() ? binding.cause : most->first;
}

Lines held(const Program& program, std::string_view names) {
  return held(program, graph_of(program.trace), names);
}

Lines held(const Program& program, const Graph& graph, std::string_view names) {
  Lines lines;
  for (const std::uint32_t t : tasks_of(program, graph, names)) {
    const Binding& binding = graph.bindings[t];
    std::string line =
        name_of(program, graph, t) + ' ' + std::string(code_of(cause_of(program, graph, t)));
    if (binding.release == analyzer::never) {
      lines.push_back(line);
      continue;
    }
    const std::int64_t next = std::max(binding.next_release, graph.begin);
    line += ' ' + (binding.from == no_index ? "host" : name_of(program, graph, binding.from));
    line += ' ' + length_of(program, std::max<std::int64_t>(0, binding.release - next));
    const std::int64_t rest = graph.times.tasks[t].start - binding.release - binding.lag;
    if (rest > 0) line += " + " + length_of(program, rest) + " unexplained";
    lines.push_back(line);
  }
  return lines;
}

analyzer::Graph without_edges(analyzer::Graph graph,
                              const std::function<bool(const analyzer::Edge&)>& goes) {
  std::vector<analyzer::Edge> edges;
  std::vector<std::uint32_t> begin{0};
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    for (std::uint32_t e = graph.edge_begin[t]; e < graph.edge_begin[t + 1]; ++e) {
      if (!goes(graph.edges[e])) edges.push_back(graph.edges[e]);
    }
    begin.push_back(static_cast<std::uint32_t>(edges.size()));
  }
  graph.edges = std::move(edges);
  graph.edge_begin = std::move(begin);
  return graph;
}

Lines edges_to(const Program& program, const Graph& graph, std::string_view name) {
  Lines lines;
  const std::uint32_t to = task_of(program, graph, name);
  for (std::uint32_t e = graph.edge_begin[to]; e < graph.edge_begin[to + 1]; ++e) {
    const analyzer::Edge& edge = graph.edges[e];
    lines.push_back(name_of(program, graph, edge.from) + (edge.from_start ? ".start " : " ") +
                    std::string(code_of(edge.cause)));
  }
  return lines;
}

std::string wait_of(const Program& program, const Graph& graph, std::string_view call) {
  const analyzer::Step& step = step_of(program, graph, call);
  std::string line(code_of(step.cause));
  for (std::uint32_t w = step.first_wait; w < step.first_wait + step.wait_count; ++w) {
    line += ' ' + name_of(program, graph, graph.waits[w]);
  }
  return line;
}

Lines replayed(const Program& program, const Graph& graph) {
  const analyzer::Replayed times = analyzer::replay(graph);
  return runs_of(program, graph, [&](std::uint32_t t) { return times.tasks[t]; });
}

Lines recorded(const Program& program, const Graph& graph) {
  return runs_of(program, graph, [&](std::uint32_t t) { return graph.times.tasks[t]; });
}

std::string replayed_wall(const Program& program, const Graph& graph) {
  const analyzer::Replayed times = analyzer::replay(graph);
  std::int64_t first = analyzer::latest_time;
  std::int64_t last = 0;
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    if (graph.tasks[t].op == no_index) continue;
    first = std::min(first, times.tasks[t].start);
    last = std::max(last, times.tasks[t].end);
  }
  return length_of(program, last - first);
}

}  // namespace lapscope::test
