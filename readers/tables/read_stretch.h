#pragma once

#include <optional>
#include <vector>

#include "analyzer/intervals/interval_set.h"
#include "analyzer/model/health.h"
#include "analyzer/model/ops.h"
#include "collector/schema/sqlite.h"

namespace lapscope::analyzer {

// The interval of the run that was captured, in session ns; nothing if that was the whole run. It
// is empty if what the capture was to begin with never came. Adds what that means to `health`.
std::optional<Interval> read_stretch(schema::Database& database, std::vector<HealthRow>& health);

// Cuts ops off at the borders of the interval. Beyond them other ops may have run that are not in
// the trace: no figure may reach there.
//
//   interval     |------------|
//   recorded  [aaaa]  [b]   [cccc]
//   clipped      [a]  [b]   [cc]
void clip(Ops& ops, Interval stretch);

}  // namespace lapscope::analyzer
