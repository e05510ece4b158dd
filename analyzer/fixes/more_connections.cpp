#include "analyzer/fixes/edit.h"
#include "analyzer/fixes/fix.h"

namespace lapscope::analyzer {
namespace {

// CUDA_DEVICE_MAX_CONNECTIONS is 32 at most: with more streams than that some still share.
void apply(const Trace&, double, Graph& graph) { remove_edges(Cause::queue_alias, graph); }

}  // namespace

const Fix more_connections{Cause::queue_alias, "each stream has a hardware queue of its own", "",
                           false, apply};

}  // namespace lapscope::analyzer
