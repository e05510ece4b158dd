#pragma once

#include "analyzer/replay/replay.h"

namespace lapscope::analyzer {

// The graph of a run that went as it was replayed, to ask what holds its tasks up then: the next
// bottleneck after a fix. What a fix took away stays away.
Graph rebased(Graph graph, const Replayed& replayed);

}  // namespace lapscope::analyzer
