#pragma once

#include <string>

#include "reports/ranks/render_ranks.h"

// Words about a straggler (RunCause::straggler).
namespace lapscope::reports {

// Returns "the other rank waits for rank 1, whose host is late with its work".
std::string straggler_clause(const analyzer::RunFinding& finding, const RunReport& run);
// Returns sentences about how the ranks are late, and why, without what the fix saves.
std::string straggler_sentence(const analyzer::RunFinding& finding, const RunReport& run);
std::string straggler_fix(const analyzer::RunFinding& finding, const RunReport& run);

}  // namespace lapscope::reports
