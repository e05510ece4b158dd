#pragma once

#include "analyzer/analysis/analyze.h"
#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

// What is taken off a trace (costs_to_take_off), fitted to its bare runs where there are any. A
// process can be slower than the calibration was for as long as it lasts, and recording costs it
// more then. So where the longest NVTX range that was run bare is, without these costs, outside the
// range of its bare runs and least_saving off, all costs are multiplied by what brings it to their
// median:
//
//   factor = (recorded - bare) / (recorded - without the recorder)
//
// within [1 / uneven, uneven], and only if that at least halves how far it is off:
// another difference is not the recorder's, and costs stay as calibrated. Empty where the options
// ask for no causes.
CallCosts fitted_costs(const Trace& trace, const AnalyzeOptions& options);

}  // namespace lapscope::analyzer
