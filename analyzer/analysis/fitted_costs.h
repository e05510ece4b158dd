#pragma once

#include "analyzer/analysis/analyze.h"
#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

// Returns the costs of recording that are subtracted from a trace. Takes the costs from
// costs_to_take_off(). If that function returns none, takes them from typical_costs(). Then fits
// the costs to times without recording. The fit is needed because recording costs more in a process
// that runs slower than the calibration did.
//
// The times without recording come from bare runs. If no range can be compared with bare runs, they
// come from unrecorded iterations (paced_iterations()). CallCosts::iterations_error is then the
// error that remains after the fit. If there are neither bare runs nor unrecorded iterations, the
// result is costs_to_take_off().
//
// The fit uses the NVTX ranges of one name: the name in the bare runs whose ranges took longest in
// total. Their total time has three values. `recorded` is the time in the trace. `corrected` is the
// time in the trace without the costs. `bare` is the time in the median bare run.
//
// The costs do not change if `corrected` lies between the shortest and the longest bare run. They
// do not change if `corrected` differs from `bare` by less than assumed::least_saving of `bare`. In
// all other cases, a factor brings `corrected` close to `bare`:
//
//   factor = (recorded - bare) / (recorded - corrected)
//
// The factor lies in [1 / assumed::uneven, assumed::uneven]. For unrecorded iterations, the upper
// limit is the square of assumed::uneven. The reason is that a bare run is another process, which
// may run at another pace. Unrecorded iterations are from the same process.
//
// The factor is used only if it at least halves the difference between `corrected` and `bare`. If
// it does not, the recorder is not the reason for the difference, and the costs do not change.
//
// If a replay of the ranges would exceed AnalyzeOptions::most_replayed, the result is
// costs_to_take_off(). If the options do not ask for causes, the result is empty.
CallCosts fitted_costs(const Trace& trace, const AnalyzeOptions& options);

}  // namespace lapscope::analyzer
