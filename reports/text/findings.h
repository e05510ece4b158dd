#pragma once

#include <ostream>

#include "analyzer/analysis/report.h"
#include "reports/text/style.h"

namespace lapscope::reports {

// Every finding of a scope with its fix, prediction and evidence, and the whole blame table;
// when asked for more, the longest parts of the critical path, too.
void print_causes(const analyzer::ScopeResult& scope, const TextStyle& style, std::ostream& out);

// What a program has not tried yet, or why streams do not help it further.
void print_advice(const analyzer::ScopeResult& scope, const TextStyle& style, std::ostream& out);

}  // namespace lapscope::reports
