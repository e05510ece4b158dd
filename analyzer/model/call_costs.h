#pragma once

#include <cstdint>

#include "analyzer/intervals/units.h"
#include "analyzer/model/trace.h"

// What recording adds, by what is known of this machine, or of another one.
namespace lapscope::analyzer {

// To a call. One without a kind of its own costs what a query costs.
Ns cost_of(const CallCosts& costs, CallKind kind);

// The same, for a call of a thread that has been outside calls for `pause` ns since its last one of
// the kind. The longer the pause, the less of what recording does is still in the caches: the cost
// goes from the usual cost after `longest_latency` to the cost of a cold call after
// `longest_pause`, by the logarithm of the pause.
Ns cost_after(const CallCosts& costs, CallKind kind, Ns pause);

// What calls cost where the machine was not calibrated: from assumptions.
CallCosts typical_costs();

// What is taken off a trace: the calibration of its machine; else what is typical, where bare runs
// show whether that fits; else nothing.
CallCosts costs_to_take_off(const Trace& trace);

// Takes off a calibration that scatters too much for what the program called (`majority`),
// and notes it among the trace's health. Where there are bare runs it stays: they show whether it
// fits, and it is nearer than what another machine was calibrated to.
void leave_out_unsteady_costs(Trace& trace);

}  // namespace lapscope::analyzer
