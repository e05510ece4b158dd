#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/graph/graph.h"
#include "tests/analyzer/support/program.h"

// What the graph of a drawn program says, as lines to compare. Times are in characters of the
// drawing; ops are named as in Program::ops, a host function as its call.
namespace lapscope::test {

std::string name_of(const Program& program, const analyzer::Graph& graph, std::uint32_t task);
// The task of this name. Throws when there is none.
std::uint32_t task_of(const Program& program, const analyzer::Graph& graph, std::string_view name);
// The step of the first call drawn with this letter.
const analyzer::Step& step_of(const Program& program, const analyzer::Graph& graph,
                              std::string_view call);
// When it lasted.
const analyzer::Interval& time_of(const Program& program, const analyzer::Graph& graph,
                                  std::string_view call);
// As 3 or 3.14.
std::string length_of(const Program& program, std::int64_t ns);

// The graph of all of a trace.
analyzer::Graph graph_of(const analyzer::Trace& trace);

using Lines = std::vector<std::string>;

// What held a task up: of what the host did, what took longest.
analyzer::Cause cause_of(const Program& program, const analyzer::Graph& graph, std::uint32_t task);

// What delayed each op that is named (all if none is): "B default-stream-barrier A 3" if it was the
// barrier of A, and B could have started 3 characters earlier without it. "host" if the op had not
// been issued; " + 5 unexplained" if it still did not start after the latency.
Lines held(const Program& program, std::string_view names = "");
Lines held(const Program& program, const analyzer::Graph& graph, std::string_view names);

// The edges to an op: "A stream-order", and "A.start queue-alias" when it is A's start that counts.
// The graph without the edges that `goes` is true of.
analyzer::Graph without_edges(analyzer::Graph graph,
                              const std::function<bool(const analyzer::Edge&)>& goes);

Lines edges_to(const Program& program, const analyzer::Graph& graph, std::string_view name);

// What a call stands for, and the ops whose ends it waited for: "host-sync A B".
std::string wait_of(const Program& program, const analyzer::Graph& graph, std::string_view call);

// When each op runs in the replay of a graph: "B 3 to 7".
Lines replayed(const Program& program, const analyzer::Graph& graph);
// The same as it was drawn. Host functions have the times that were inferred.
Lines recorded(const Program& program, const analyzer::Graph& graph);
// From the first start of an op in the replay to the last end.
std::string replayed_wall(const Program& program, const analyzer::Graph& graph);

}  // namespace lapscope::test
