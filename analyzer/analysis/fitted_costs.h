#pragma once

#include "analyzer/analysis/analyze.h"
#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

// Returns the costs of recording that are subtracted from a trace. These costs are
// costs_to_take_off(), or typical_costs() if that function returns none. They are then fitted to
// times that were measured without recording. The fit is needed because recording costs more time
// in a process that runs slower than the calibration did. The measured times come from bare runs.
// If no range can be compared with bare runs, they come from unrecorded iterations
// (paced_iterations()). CallCosts::iterations_error is then the difference that remains. If there
// are no measured times, the result is costs_to_take_off().
//
// The fit uses one NVTX range name. Of all names in the bare runs, it is the name whose ranges took
// longest in total. The total time of these ranges has three values: `recorded` in the trace,
// `corrected` in the trace without the costs, and `bare` in the median bare run. The costs stay
// unchanged if `corrected` lies between the shortest and the longest time of the bare runs. The
// costs also stay unchanged if `corrected` differs from `bare` by less than assumed::least_saving
// of `bare`. In all other cases, the costs are multiplied by a factor that brings `corrected` close
// to `bare`:
//
//   factor = (recorded - bare) / (recorded - corrected)
//
// The factor is limited to [1 / assumed::uneven, assumed::uneven]. If the trace has unrecorded
// iterations of its own process instead of bare runs, the upper limit is the square of
// assumed::uneven: another process may have run at another pace, but the same process did not. The
// factor is used only if it at least halves the difference between `corrected` and `bare`. If it
// does not, the difference does not come from the recorder, and the costs stay unchanged. If a
// replay of the ranges would exceed AnalyzeOptions::most_replayed, the result is
// costs_to_take_off(). Returns empty costs if the options do not ask for causes.
CallCosts fitted_costs(const Trace& trace, const AnalyzeOptions& options);

}  // namespace lapscope::analyzer
