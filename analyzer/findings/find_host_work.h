#pragma once

#include "analyzer/explain/walk_back.h"
#include "analyzer/findings/causes_result.h"
#include "analyzer/findings/find_causes.h"
#include "analyzer/findings/graph_scope.h"

namespace lapscope::analyzer {

// Sets FindingResult::host_work of the findings and questions about host work between calls. For
// each kind of work and each function of a finding, predicts the saving of the matching edit
// (host_edits.h). The largest saving of a kind becomes the saving of the finding if two conditions
// hold: this saving is enough for a finding, and most of the host's time is in known functions.
// Sorts the findings by saving.
void name_host_work(const Sources& sources, const GraphScope& scope, const HostActivity& time,
                    const CauseOptions& options, CausesResult& result);

}  // namespace lapscope::analyzer
