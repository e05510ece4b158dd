#pragma once

#include <span>
#include <vector>

#include "analyzer/findings/blame.h"
#include "analyzer/findings/graph_names.h"

namespace lapscope::analyzer {

// A critical path in short: its `most` longest parts one by one, and what lies between two of them
// as one stretch. They fill the same window and sum to the same blame, and are never more than
// 2 * most + 1, however long the path is. `device` is the one whose path it is.
std::vector<PathStretch> stretches_of(const Sources& sources, std::span<const PathPart> path,
                                      std::uint16_t device, std::size_t most);

// Blame and critical path of a scope, as recorded.
void describe_path(const Sources& sources, const GraphScope& scope, std::size_t most,
                   CausesResult& result);

}  // namespace lapscope::analyzer
