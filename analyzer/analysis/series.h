#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/analysis/report.h"
#include "analyzer/iterations/find_iterations.h"
#include "analyzer/measures/activity.h"
#include "analyzer/scope/scope.h"

namespace lapscope::analyzer {

// Returns the values of all measures, in the order of measures().
std::vector<Value> values_of(const Activity& activity);

// Cuts the scope's window into `bins` intervals, whose lengths differ by at most 1 ns. Measures
// each interval. If the window is shorter than `bins` ns, returns one interval for each ns.
std::vector<SeriesBin> series_of(const Subject& subject, const Scope& scope, std::int64_t bins);

// Returns the measures of the first iteration. Also returns how the measures vary over the
// iterations between the first and the last.
IterationsResult measure_iterations(const Subject& subject, const Scope& scope,
                                    const Iterations& iterations);

}  // namespace lapscope::analyzer
