#pragma once

#include <span>

#include "analyzer/gate/judgement.h"
#include "analyzer/summary/summary.h"

namespace lapscope::analyzer {

// Evaluates every condition of a gate over every interval of work that it names. The runs are
// repeats of one program; so are the runs of the baseline, which is empty when the gate has none.
// `today` decides which waivers have expired. Requires a run, and a gate that check_gate found
// nothing wrong with.
//
// A condition is evaluated by the median of the repeats, and holds only if their whole spread is on
// the good side of the bound; it fails if all of it is on the bad side, and is inconclusive
// otherwise:
//
//   min 0.5              0.5
//   passed               |   [---x--]
//   inconclusive       [-|-x--]
//   failed    [--x--]    |
//
// A bound that comes from repeats of a baseline has a spread, too, and is treated alike.
JudgedGate judge_gate(const Gate& gate, std::span<const RunSummary> runs,
                      std::span<const RunSummary> baseline, const Date& today);

}  // namespace lapscope::analyzer
