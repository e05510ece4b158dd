#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/findings/causes_result.h"
#include "analyzer/intervals/units.h"
#include "analyzer/model/cause.h"
#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

// Every cause that has a fix: whether a finding is about it, and what that rests on. Requires the
// blame and the findings of `result`; `wall` is the scope's.
std::vector<LookedFor> looked_for(const Trace& trace, const CausesResult& result, Ns wall);

// Kinds of records that an answer about a cause rests on, those of ops first.
std::vector<std::string_view> rests_on(Cause cause);

}  // namespace lapscope::analyzer
