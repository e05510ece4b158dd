#pragma once

#include <cstdint>

#include "analyzer/intervals/units.h"
#include "analyzer/model/trace.h"

// The time that recording adds to calls, from the calibration of the machine or from assumptions.
namespace lapscope::analyzer {

// Returns the time in ns that recording adds to a call of a kind. If `costs` lacks the kind,
// returns the cost of a query.
Ns cost_of(const CallCosts& costs, CallKind kind);

// Returns the time in ns that recording adds to a call after a pause. A pause is the time between
// two successive calls of a thread. `pause` is the thread's longest pause since its previous call
// of this kind. After a pause of at most assumed::longest_latency, returns cost_of(). After a pause
// of at least assumed::longest_pause, returns the cost of a cold call. Between these two pauses,
// the cost rises with the logarithm of the pause.
Ns cost_after(const CallCosts& costs, CallKind kind, Ns pause);

// Returns the assumed costs, for traces of a machine that was not calibrated.
CallCosts typical_costs();

// Returns the costs to subtract from a trace:
// - the costs of the calibration, if the machine was calibrated,
// - else typical_costs(), if the trace has bare runs, which show whether these costs fit,
// - else no costs.
CallCosts costs_to_take_off(const Trace& trace);

// Drops the calibration of a trace if its costs scatter too much, and adds a health row. The costs
// scatter too much if the spreads of all calls add up to more than `majority` times the costs of
// all calls. A trace with bare runs keeps its calibration, because the costs will be fitted to the
// bare runs.
void leave_out_unsteady_costs(Trace& trace);

}  // namespace lapscope::analyzer
