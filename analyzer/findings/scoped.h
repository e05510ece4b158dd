#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/graph/graph.h"
#include "analyzer/replay/replay.h"
#include "analyzer/scope/scope.h"

namespace lapscope::analyzer {

// The tasks of one device that a scope is about, and its window.
struct Scoped {
  std::uint16_t device = 0;  // in Trace::devices
  Interval window;
  std::vector<std::uint32_t> tasks;  // in Graph::tasks
};

Scoped scoped(const Graph& graph, std::uint16_t device, const Scope& scope);

// Where the scope's tasks lie in a replay.
Interval window_of(const Scoped& scope, const Replayed& replayed);

// From the first start of the scope's tasks to their last end.
std::int64_t wall_of(const Scoped& scope, const Replayed& replayed);
// Of their durations.
std::int64_t sum_of(const Scoped& scope, const Replayed& replayed);

}  // namespace lapscope::analyzer
