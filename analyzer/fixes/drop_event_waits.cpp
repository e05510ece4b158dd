#include "analyzer/fixes/edit.h"
#include "analyzer/fixes/fix.h"

namespace lapscope::analyzer {
namespace {

void apply(const Trace&, double, Graph& graph) { remove_edges(Cause::event_wait, graph); }

}  // namespace

const Fix drop_event_waits{Cause::event_wait, "streams do not wait for events of others", "",
             true, apply};

}  // namespace lapscope::analyzer
