#pragma once

#include <ostream>

#include "analyzer/analysis/report.h"
#include "reports/text/style.h"

namespace lapscope::reports {

// Every finding of a scope with its fix, prediction and evidence, and the whole blame table.
void print_causes(const analyzer::ScopeResult& scope, const TextStyle& style, std::ostream& out);

}  // namespace lapscope::reports
