#pragma once

#include "analyzer/explain/walk_back.h"
#include "analyzer/findings/causes_result.h"
#include "analyzer/findings/find_causes.h"
#include "analyzer/findings/graph_scope.h"

namespace lapscope::analyzer {

// Completes the findings about host work between calls. Adds what the host did at the sites of each
// finding. For each kind of this work, and for each function, also adds the saving of the matching
// edit (host_edits.h). If the kind with the largest saving is worth a finding, the finding becomes
// about that kind. At the end, sorts the findings by saving.
void name_host_work(const Sources& sources, const GraphScope& scope, const HostActivity& time,
                    const CauseOptions& options, CausesResult& result);

}  // namespace lapscope::analyzer
