#pragma once

#include <cstdint>

#include "analyzer/graph/graph.h"

namespace lapscope::analyzer {

// Each call that waits for the device waits for what the call `by` waits before it, of the same
// thread, waited for: as a program does that has `by` more buffers and looks at each when it needs
// it again. The first `by` waits of a thread wait for nothing, and what the last ones waited for is
// not waited for in the stretch that the graph is of. Requires by > 0.
//
//   thread   a[sync A]b[sync B]c[sync C]     by 1: ab[sync A]c[sync B]
void defer_syncs(std::uint32_t by, Graph& graph);

}  // namespace lapscope::analyzer
