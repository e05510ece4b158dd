#pragma once

#include "analyzer/analysis/analyze.h"
#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

// Returns the costs of recording that are subtracted from a trace (costs_to_take_off). If the trace
// has bare runs, the costs are fitted to them. This is needed because a whole process can run
// slower than the calibration did. Recording then costs more time in that process. If the trace has
// no bare runs but unrecorded iterations (paced_iterations), the costs are fitted to these in the
// same way. CallCosts::iterations_error then has the remaining difference. In both cases,
// typical_costs() take the place of a calibration that the trace lacks.
//
// The fit uses one NVTX range name: of all names in the bare runs, the name whose ranges took
// longest in total. The total time of these ranges has three values: `recorded` in the trace,
// `corrected` in the trace without the costs, and `bare` in the median bare run. The costs stay
// unchanged if `corrected` lies between the shortest and the longest time of the bare runs. They
// also stay unchanged if `corrected` differs from `bare` by less than assumed::least_saving of
// `bare`. Otherwise all costs are multiplied by a factor that brings `corrected` close to `bare`:
//
//   factor = (recorded - bare) / (recorded - corrected)
//
// The factor is limited to [1 / assumed::uneven, assumed::uneven]. It is used only if it at least
// halves the difference between `corrected` and `bare`. If it does not, the difference does not
// come from the recorder, and the costs stay as calibrated. The costs also stay unchanged if the
// ranges have more ops than AnalyzeOptions::most_replayed. Returns empty costs if the options do
// not ask for causes.
CallCosts fitted_costs(const Trace& trace, const AnalyzeOptions& options);

}  // namespace lapscope::analyzer
