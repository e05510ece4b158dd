#pragma once

#include "analyzer/analysis/analyze.h"
#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

// Returns the costs of recording that are subtracted from a trace: costs_to_take_off(), or else
// typical_costs(). The costs are fitted to times without recording, because recording costs more in
// a process that runs slower than the calibration did.
//
// The times without recording come from bare runs. If no range can be compared with bare runs, they
// come from unrecorded iterations (paced_iterations()). In this case, CallCosts::iterations_error
// is the error that remains. If there are neither bare runs nor unrecorded iterations, the result
// is costs_to_take_off().
//
// The fit uses the NVTX ranges of one name: the name whose ranges took longest in total. Their time
// is `recorded` in the trace, `corrected` without the costs, and `bare` in the median bare run. All
// costs are multiplied by one factor:
//
//   factor = (recorded - bare) / (recorded - corrected)
//
// The costs do not change if `corrected` already is near `bare`. They also do not change if the
// factor would not halve the difference between the two. In this case, the recorder is not the
// reason for the difference. The factor is at least 1 / assumed::uneven, and at most
// assumed::uneven. For unrecorded iterations, it is at most the square of assumed::uneven. The
// upper limit for bare runs is lower, because a bare run is another process, which may run at
// another pace.
//
// If a replay of the ranges would exceed AnalyzeOptions::most_replayed, the result is
// costs_to_take_off(). If the options do not ask for causes, the result is empty.
CallCosts fitted_costs(const Trace& trace, const AnalyzeOptions& options);

}  // namespace lapscope::analyzer
