#include "analyzer/fixes/edit.h"
#include "analyzer/fixes/fix.h"

namespace lapscope::analyzer {
namespace {

void apply(const Trace&, double, Graph& graph) { make_quick(Cause::host_pinning, 0, graph); }

}  // namespace

const Fix hoist_pinning{Cause::host_pinning,
                        "page-locked memory is allocated before and released after", "", false,
                        apply};

}  // namespace lapscope::analyzer
