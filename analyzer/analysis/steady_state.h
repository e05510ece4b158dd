#pragma once

#include "analyzer/analysis/report.h"
#include "analyzer/iterations/find_iterations.h"
#include "analyzer/measures/activity.h"

namespace lapscope::analyzer {

// The measures of each iteration, the first and the last apart from the spread of the others.
IterationsResult measure_iterations(const Subject& subject, const Scope& scope,
                                    const Iterations& iterations);

}  // namespace lapscope::analyzer
