#pragma once

#include <span>
#include <string_view>

#include "analyzer/model/cause.h"

namespace lapscope::analyzer {

// Kinds of records, as in TraceFacts::recorded, without which a run may suffer from a cause and not
// show it.
std::span<const std::string_view> evidence_of(Cause cause);

}  // namespace lapscope::analyzer
