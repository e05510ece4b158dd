#pragma once

#include "analyzer/explain/walk_back.h"
#include "analyzer/findings/causes_result.h"
#include "analyzer/findings/find_causes.h"
#include "analyzer/findings/graph_scope.h"

namespace lapscope::analyzer {

// Says what the host did at the sites of findings about its own work, and what a scope saves with
// the edit for each kind and function of it (host_edits.h). A finding is then about the one that
// saves most, where that is worth a finding; findings are put in order anew.
void name_host_work(const Sources& sources, const GraphScope& scope, const HostActivity& time,
                    const CauseOptions& options, CausesResult& result);

}  // namespace lapscope::analyzer
