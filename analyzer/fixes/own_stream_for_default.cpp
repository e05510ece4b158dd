#include "analyzer/fixes/edit.h"
#include "analyzer/fixes/fix.h"

namespace lapscope::analyzer {
namespace {

// The work of the default stream keeps its order, and waits for nobody else.
void apply_own_stream_for_default(const Trace&, double, Graph& graph) {
  remove_edges(Cause::default_stream_barrier, graph);
}

}  // namespace

const Fix own_stream_for_default{Cause::default_stream_barrier,
                                 "work of the legacy default stream moves to a non-blocking stream",
                                 "", true, apply_own_stream_for_default};

}  // namespace lapscope::analyzer
