#pragma once

#include <optional>
#include <vector>

#include "analyzer/intervals/interval_set.h"
#include "analyzer/model/health.h"
#include "analyzer/model/ops.h"
#include "collector/schema/sqlite.h"

namespace lapscope::analyzer {

// Returns the captured interval in session ns; nothing if all of the run was captured. The interval
// is empty if the event that starts the capture never occurred. Adds a health row about the
// captured part, or about the empty interval.
std::optional<Interval> read_stretch(schema::Database& database, std::vector<HealthRow>& health);

// Cuts ops at the borders of the interval. The trace can lack ops outside the interval, so no
// figure includes that time.
//
//   interval     |------------|
//   recorded  [aaaa]  [b]   [cccc]
//   clipped      [a]  [b]   [cc]
void clip(Ops& ops, Interval stretch);

}  // namespace lapscope::analyzer
