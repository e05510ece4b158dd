#pragma once

#include <cstddef>

#include "analyzer/analysis/report.h"
#include "reports/text/layout.h"

namespace lapscope::reports {

// Returns the findings of a scope for the first screen: as many as fit `room` lines, then a line
// with the number of findings left out. The first finding is always included. The heading is left
// out if there is no room.
Lines finding_sections(const analyzer::ScopeResult& scope, std::size_t room,
                       const TextStyle& style);

// Returns how many lines the heading, the first finding and the line about further findings take.
// Requires a finding.
std::size_t lines_of_one(const analyzer::ScopeResult& scope, const TextStyle& style);

}  // namespace lapscope::reports
