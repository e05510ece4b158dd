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

// Times of a scope, in ns. They show how much time a cause without records can have cost at most.
struct ScopeTime {
  Ns wall = 0;
  // Time in which no op of the scope ran. If each device has one stream, all delays of ops lie in
  // this time. If a device has several streams, `idle` is empty.
  std::optional<Ns> idle = std::nullopt;
  // Total time of copies. The causes small-copies and pageable-copy cost time during copies, too.
  Ns copies = 0;
};

// Returns one entry for every cause that has a fix. `result` must have blame, findings and
// questions.
std::vector<LookedFor> looked_for(const Trace& trace, const CausesResult& result,
                                  const ScopeTime& time);

// Returns the kinds of records that an answer about a cause needs. Records of ops come first.
std::vector<std::string_view> rests_on(Cause cause);

}  // namespace lapscope::analyzer
