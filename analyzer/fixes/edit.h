#pragma once

#include <vector>

#include "analyzer/graph/graph.h"

namespace lapscope::analyzer {

// Takes away all edges of a cause.
void remove_edges(Cause cause, Graph& graph);

struct NewEdge {
  std::uint32_t to = 0;
  Edge edge;
};
// Adds edges; each must lead from an earlier task to a later one.
void add_edges(std::vector<NewEdge> added, Graph& graph);

// What a step waits for is these.
void set_waits(const std::vector<std::uint32_t>& tasks, Step& step, Graph& graph);

// A call that no longer waits, and takes `busy` ns at most.
void make_quick(Step& step, std::int64_t busy);

// A task that waited for nothing but the host is on its way from there for as long as a quick call
// takes, at most.
void shorten_way(std::uint32_t task, Graph& graph);

// All calls of a cause.
void make_quick(Cause cause, std::int64_t busy, Graph& graph);

// Calls of a cause that recur are gone; all of them when `all`. See Recurring.
void hoist(Cause cause, bool all, const Trace& trace, Graph& graph);

// Makes everything on an engine take `factor` times less.
void scale_engine(Engine engine, double factor, Graph& graph);

}  // namespace lapscope::analyzer
