#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/graph/graph.h"
#include "tests/analyzer/support/program.h"

// Formats the graph of a drawn program as lines to compare. Times are in characters. Ops are named
// as in Program::ops, and a host function has the name of its call.
namespace lapscope::test {

std::string name_of(const Program& program, const analyzer::Graph& graph, std::uint32_t task);
// Returns the task with this name. Throws if there is none.
std::uint32_t task_of(const Program& program, const analyzer::Graph& graph, std::string_view name);
// Returns the step of the first call with this letter.
const analyzer::Step& step_of(const Program& program, const analyzer::Graph& graph,
                              std::string_view call);
// Returns the interval of the first call with this letter.
const analyzer::Interval& time_of(const Program& program, const analyzer::Graph& graph,
                                  std::string_view call);
// Formats a length in characters, such as 3 or 3.14.
std::string length_of(const Program& program, std::int64_t ns);

// Returns the graph of a whole trace.
analyzer::Graph graph_of(const analyzer::Trace& trace);

using Lines = std::vector<std::string>;

// Returns the cause that delayed a task. If the task waited for the host, returns the cause of the
// host's longest activity.
analyzer::Cause cause_of(const Program& program, const analyzer::Graph& graph, std::uint32_t task);

// Returns the delays of the named ops, or of all ops. Lengths are in characters. For example:
// - "B default-stream-barrier A 3": without the barrier of A, B could have started 3 earlier.
// - "B launch-overhead host 3": if the host had issued B earlier, B could have started 3 earlier.
// - "B stream-order A 3 + 5 unexplained": also, B started 5 later than its latency explains.
Lines held(const Program& program, std::string_view names = "");
Lines held(const Program& program, const analyzer::Graph& graph, std::string_view names);

// Returns the graph without the edges for which `goes` is true.
analyzer::Graph without_edges(analyzer::Graph graph,
                              const std::function<bool(const analyzer::Edge&)>& goes);

// Returns the edges to an op, such as "A stream-order". In "A.start queue-alias", the op waits for
// the start of A.
Lines edges_to(const Program& program, const analyzer::Graph& graph, std::string_view name);

// Returns the cause of the wait in a call, and the awaited ops: "host-sync A B".
std::string wait_of(const Program& program, const analyzer::Graph& graph, std::string_view call);

// Returns the interval of each op in the replay of a graph: "B 3 to 7".
Lines replayed(const Program& program, const analyzer::Graph& graph);
// Returns the interval of each op in the drawing. Host functions have their inferred times.
Lines recorded(const Program& program, const analyzer::Graph& graph);
// Returns the time from the first start of an op to the last end in the replay, in characters.
std::string replayed_wall(const Program& program, const analyzer::Graph& graph);

}  // namespace lapscope::test
