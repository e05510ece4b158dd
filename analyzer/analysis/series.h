#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/analysis/report.h"
#include "analyzer/iterations/find_iterations.h"
#include "analyzer/measures/activity.h"
#include "analyzer/scope/scope.h"

namespace lapscope::analyzer {

// All measures, in the order of measures().
std::vector<Value> values_of(const Activity& activity);

// The measures over time: the scope's window cut into `bins` intervals whose lengths differ by 1 ns
// at most. Returns fewer when the window has fewer ns.
std::vector<SeriesBin> series_of(const Subject& subject, const Scope& scope, std::int64_t bins);

// The measures of each iteration, the first and the last apart from the spread of the others.
IterationsResult measure_iterations(const Subject& subject, const Scope& scope,
                                    const Iterations& iterations);

}  // namespace lapscope::analyzer
