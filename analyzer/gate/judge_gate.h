#pragma once

#include <span>

#include "analyzer/gate/judgement.h"
#include "analyzer/summary/summary.h"

namespace lapscope::analyzer {

// Evaluates every condition of a gate for every scope that the gate names. `runs` are repeats of
// one program. `baseline` has repeats of one program, too, or is empty. `today` decides which
// waivers have expired. Requires at least one run, and a gate in which check_gate() finds no error.
//
// The value of a condition is the median of the repeats. The condition passes if the values of all
// repeats are on the good side of the bound. It fails if all are on the bad side. In all other
// cases, it is inconclusive:
//
//   min 0.5              0.5
//   passed               |   [---x--]       [ ]: the spread of the repeats; x: their median
//   inconclusive       [-|-x--]
//   failed    [--x--]    |
//
// A bound from repeats of a baseline has a spread, too. If this spread overlaps with the spread of
// the runs, the condition is inconclusive.
JudgedGate judge_gate(const Gate& gate, std::span<const RunSummary> runs,
                      std::span<const RunSummary> baseline, const Date& today);

}  // namespace lapscope::analyzer
