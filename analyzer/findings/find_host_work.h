#pragma once

#include "analyzer/explain/walk_back.h"
#include "analyzer/findings/causes_result.h"
#include "analyzer/findings/find_causes.h"
#include "analyzer/findings/graph_scope.h"

namespace lapscope::analyzer {

// Completes the findings about host work between calls: adds what the host did at their sites. Also
// adds what the matching edit saves (host_edits.h), for each kind of work and for each function. If
// the best kind is worth a finding, the finding becomes about that kind. Sorts the findings by
// saving.
void name_host_work(const Sources& sources, const GraphScope& scope, const HostActivity& time,
                    const CauseOptions& options, CausesResult& result);

}  // namespace lapscope::analyzer
