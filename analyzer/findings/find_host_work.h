#pragma once

#include "analyzer/explain/walk_back.h"
#include "analyzer/findings/causes_result.h"
#include "analyzer/findings/find_causes.h"
#include "analyzer/findings/graph_scope.h"

namespace lapscope::analyzer {

// Completes the findings about the host's own work. Adds what the host did at the sites of each
// finding. For each kind of this work, and for each function, also adds the saving with the edit
// for it (host_edits.h). If the kind that saves most is worth a finding, the finding is then about
// that kind. Sorts the findings again.
void name_host_work(const Sources& sources, const GraphScope& scope, const HostActivity& time,
                    const CauseOptions& options, CausesResult& result);

}  // namespace lapscope::analyzer
