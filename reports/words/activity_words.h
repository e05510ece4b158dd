#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/findings/causes_result.h"
#include "analyzer/measures/activity.h"
#include "analyzer/model/ops.h"

namespace lapscope::reports {

// Returns the words for an engine, such as "copy to device".
std::string_view word_of(analyzer::Engine engine);

// Returns the active engines of a state, such as "compute + copy to host". Returns "other work" or
// "idle" if no op of the scope runs.
std::string words_of(const analyzer::StateTime& state);

// Returns the words for an engine name ("h2d"). Returns any other code unchanged.
std::string_view word_of_code(std::string_view code);

// Describes a part of a critical path: the work, the wait, or how many short parts were merged.
std::string words_of(const analyzer::PathStretch& stretch);
// Returns the call or op of the part, printable. Empty if the part belongs to no call or op.
std::string owner_of(const analyzer::PathStretch& stretch);

// Returns the interval of the part in the trace. If the causes are of a corrected run, the part's
// own times are not in the trace. In this case, returns the recorded interval of the op that ran,
// of the call that the host was in, or of the op that waited. Returns nothing if there is no such
// op or call.
std::optional<analyzer::Interval> time_in_trace(const analyzer::CausesResult& causes,
                                                const analyzer::PathStretch& stretch);
// Returns the end of a caption: "; at: the recorded start of the op or call". Returns "" if nothing
// was corrected.
std::string_view instant_note(const analyzer::CausesResult& causes);

// Returns at most `most` parts of the critical path, the longest first. Omits merged parts.
std::vector<const analyzer::PathStretch*> longest_of(const analyzer::CausesResult& causes,
                                                     std::size_t most);

// Returns whether a cause was found: "found" or "not-found", or "inconclusive" if records are
// missing.
std::string_view outcome_of(const analyzer::LookedFor& cause);

// Returns the argument of `whatif --fix` for a finding's fix: CODE, or CODE,CODE if a second fix
// increases the saving. With `site`, limits the fix to this call site. Returns "" if the saving at
// `site` is unknown. Names are not escaped.
std::string fix_argument(const analyzer::FindingResult& finding);
std::string fix_argument(const analyzer::FindingResult& finding, const analyzer::CallSite& site);

}  // namespace lapscope::reports
