#include "analyzer/fixes/edit.h"
#include "analyzer/fixes/fix.h"

namespace lapscope::analyzer {
namespace {

void apply(const Trace&, double, Graph& graph) { make_quick(Cause::alloc_free, 0, graph); }

}  // namespace

const Fix hoist_allocation{
    Cause::alloc_free, "device memory is allocated before and released after", "", false, apply};

}  // namespace lapscope::analyzer
