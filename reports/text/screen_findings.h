#pragma once

#include <cstddef>

#include "analyzer/analysis/report.h"
#include "reports/text/layout.h"

namespace lapscope::reports {

// The findings of a scope as the first screen has them: as many as `room` lines hold, and a line
// that there are more. The first finding is always there; without room for a heading there is none.
Lines finding_sections(const analyzer::ScopeResult& scope, std::size_t room,
                       const TextStyle& style);

// What a heading, the first finding, and that there are more take. There must be a finding.
std::size_t lines_of_one(const analyzer::ScopeResult& scope, const TextStyle& style);

}  // namespace lapscope::reports
