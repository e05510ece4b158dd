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

// A critical path in short: its `most` longest parts one by one, and what lies between two of them
// as one stretch. They fill the same window and sum to the same blame, and are never more than
// 2 * most + 1, however long the path is. `device` is the one whose path it is.
std::vector<PathStretch> stretches_of(const Sources& sources, std::span<const PathPart> path,
                                      std::uint16_t device, std::size_t most);

// Blame and critical path of a scope, as recorded.
void describe_path(const Sources& sources, const GraphScope& scope, std::size_t most,
                   CausesResult& result);

}  // namespace lapscope::analyzer
