#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/findings/causes_result.h"
#include "analyzer/measures/activity.h"
#include "analyzer/model/ops.h"

namespace lapscope::reports {

// "copy to device"
std::string_view word_of(analyzer::Engine engine);

// "compute + copy to host", "other work" or "idle"
std::string words_of(const analyzer::StateTime& state);

// The words for an engine by its name ("h2d"), and anything else as it is.
std::string_view word_of_code(std::string_view code);

// Part of a critical path in a few words: what worked or was waited for, and what was merged.
std::string words_of(const analyzer::PathStretch& stretch);
// The op or call of it, printable; empty when it has none.
std::string owner_of(const analyzer::PathStretch& stretch);

// The longest parts of the critical path, the longest first.
std::vector<const analyzer::PathStretch*> longest_of(const analyzer::CausesResult& causes,
                                                     std::size_t most);

// "found", "not-found", or "inconclusive" for want of records.
std::string_view outcome_of(const analyzer::LookedFor& cause);

// What asks `whatif --fix` for a finding's fix, as: CODE, or CODE --fix CODE; and for one at a
// call site of it alone, or nothing where that was not replayed. Names as they are in the trace.
std::string fix_argument(const analyzer::FindingResult& finding);
std::string fix_argument(const analyzer::FindingResult& finding, const analyzer::CallSite& site);

}  // namespace lapscope::reports
