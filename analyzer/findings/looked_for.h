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

// The time of a scope, as far as it bounds what a cause that nothing is known of can have cost.
struct ScopeTime {
  Ns wall = 0;
  // In which nothing of the scope ran; only where devices have one stream each, whose ops nothing
  // keeps apart but time in which nothing runs.
  std::optional<Ns> idle = std::nullopt;
  Ns copies = 0;  // of copies, which are longer if they are small or of pageable memory
};

// Every cause that has a fix: whether a finding is about it, and what that rests on. Requires the
// blame and the findings of `result`. A cause whose records are missing leaves nothing open where
// it cannot have cost as much as is worth a finding.
std::vector<LookedFor> looked_for(const Trace& trace, const CausesResult& result,
                                  const ScopeTime& time);

// Kinds of records that an answer about a cause rests on, those of ops first.
std::vector<std::string_view> rests_on(Cause cause);

}  // namespace lapscope::analyzer
