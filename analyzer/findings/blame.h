#pragma once

#include <span>
#include <vector>

#include "analyzer/findings/causes_result.h"
#include "analyzer/findings/graph_scope.h"
#include "analyzer/graph/critical_path.h"

namespace lapscope::analyzer {

// What the wall time of a scope was spent on: the critical path of its last end.
std::vector<PathPart> critical_path(const Sources& sources, const GraphScope& scope);

// What a path was spent on, most first. Work of another device than this is called other-device.
std::vector<BlameRow> blame_of(std::span<const PathPart> path, std::uint16_t device);

// The part of a wall time that no cause accounts for: what is not explained, and idle time at the
// end of a window.
double unexplained_share(std::span<const BlameRow> blame, std::int64_t wall_ns);

}  // namespace lapscope::analyzer
