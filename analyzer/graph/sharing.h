#pragma once

#include "analyzer/graph/graph.h"

namespace lapscope::analyzer {

// Takes kernels to share at this end of what is known of their demands: their work is then what
// their recorded time was worth beside what ran with them. For graphs as recorded, or rebased; a
// graph that is at this end already stays as it is.
//
//   A  AAAAAAAA    Both demand all of the device: in 8 ns beside each other each gets as far as
//   B  BBBBBBBB    alone in 4. If they share nothing, each takes 8.
void assume(Sharing end, Graph& graph);

}  // namespace lapscope::analyzer
