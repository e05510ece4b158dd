#include "analyzer/fixes/edit.h"
#include "analyzer/fixes/fix.h"

namespace lapscope::analyzer {
namespace {

void apply_graph_per_stream(const Trace&, double, Graph& graph) {
  remove_edges(Cause::graph_exec_reuse, graph);
}

}  // namespace

// The nodes of one executable graph use the same memory at each launch, unless the program sets
// their parameters in between: no trace tells.
const Fix graph_per_stream{Cause::graph_exec_reuse,
                           "each stream has an executable graph of its own", "", true,
                           apply_graph_per_stream};

}  // namespace lapscope::analyzer
