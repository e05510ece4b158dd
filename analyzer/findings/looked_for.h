#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "analyzer/findings/causes_result.h"
#include "analyzer/intervals/units.h"
#include "analyzer/model/cause.h"
#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

// Upper bounds for the time that a cause without records can have cost a scope, in ns.
struct ScopeTime {
  Ns wall = 0;
  // Time in which no op of the scope ran. Set only if each device has one stream, because only then
  // all delays of ops lie in that time.
  std::optional<Ns> idle = std::nullopt;
  Ns copies = 0;  // time of copies, because small or pageable copies take longer
};

// Returns one entry for every cause that has a fix: whether a finding is about the cause, and the
// kinds of records that this answer rests on. Requires that the blame, the findings and the
// questions of `result` are set. A cause whose records are missing may have cost enough time for a
// finding. Such a cause leaves the scope open (LookedFor::leaves_open).
std::vector<LookedFor> looked_for(const Trace& trace, const CausesResult& result,
                                  const ScopeTime& time);

// Returns the kinds of records that an answer about a cause rests on. Records of ops come first.
std::vector<std::string_view> rests_on(Cause cause);

}  // namespace lapscope::analyzer
