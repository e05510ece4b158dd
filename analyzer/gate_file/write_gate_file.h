#pragma once

#include <span>
#include <string>

#include "analyzer/gate/gate.h"
#include "analyzer/summary/summary.h"

namespace lapscope::analyzer {

// A gate file that these repeats of one program pass, with bounds at a margin from their figures:
// a gate for each of their devices and ranges, of those that can be judged. `margin` is a share of
// the figure (of a ratio, at least 0.02). `terms` says what the gates are to allow. Requires a run
// with a device.
std::string write_gate_file(std::span<const RunSummary> runs, double margin,
                            const Gate& terms = {});

}  // namespace lapscope::analyzer
