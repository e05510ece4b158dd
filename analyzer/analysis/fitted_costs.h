#pragma once

#include "analyzer/analysis/analyze.h"
#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

// Returns the costs of recording that are subtracted from a trace. They are costs_to_take_off(), or
// typical_costs() if costs_to_take_off() is empty. If the calibration ran faster than the recorded
// process, these costs are too small. So all costs are multiplied by one factor, which is fitted to
// times without recording.
//
// The times without recording come from bare runs. If no range can be compared with bare runs, the
// times come from unrecorded iterations (paced_iterations()), and CallCosts::iterations_error is
// the error that remains. If there are neither bare runs nor unrecorded iterations, the result is
// costs_to_take_off().
//
// The fit uses the NVTX ranges of one name: the name with the longest open time (open_time()). It
// compares three times of these ranges:
//
//   R: in the trace
//   C: in the trace, minus the costs
//   B: in the median bare run, or as estimated from unrecorded iterations
//
//   factor = (R - B) / (R - C)    if the device's work hides no part of the costs
//
// The factor is 1 if C is near B. It is also 1 if the fitted factor leaves more than half of the
// difference between C and B, because such a difference is not due to the recorder. The factor is
// at least 1 / assumed::uneven. It is at most assumed::uneven for bare runs, and at most the square
// of assumed::uneven for unrecorded iterations. The limit for bare runs is lower, because a bare
// run is another process, which may run at another pace.
//
// If a replay of the ranges would exceed AnalyzeOptions::most_replayed, the result is
// costs_to_take_off(). If the options do not ask for causes, the result is empty.
CallCosts fitted_costs(const Trace& trace, const AnalyzeOptions& options);

}  // namespace lapscope::analyzer
