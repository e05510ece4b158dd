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

// Upper bounds for the time that a scope can have lost to a cause whose records are missing, in ns.
struct ScopeTime {
  Ns wall = 0;
  // Time in which no op of the scope ran. Set only if each device has one stream, because all
  // delays of ops then lie in that time.
  std::optional<Ns> idle = std::nullopt;
  Ns copies = 0;  // time of copies, because small or pageable copies take longer
};

// Returns one entry for every cause that has a fix: whether a finding is about the cause, and the
// kinds of records that this answer rests on. Requires that the blame, the findings and the
// questions of `result` are set. If the records of a cause are missing and it may have cost enough
// time for a finding, the cause leaves the scope open (LookedFor::leaves_open).
std::vector<LookedFor> looked_for(const Trace& trace, const CausesResult& result,
                                  const ScopeTime& time);

// Returns the kinds of records that an answer about a cause rests on. Records of ops come first.
std::vector<std::string_view> rests_on(Cause cause);

}  // namespace lapscope::analyzer
