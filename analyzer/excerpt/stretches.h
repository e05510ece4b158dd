#pragma once

#include <cstddef>
#include <vector>

#include "analyzer/model/trace.h"
#include "analyzer/scope/scope.h"

namespace lapscope::analyzer {

// Intervals of a trace that stand for all of some ops: `count` of them, evenly spread, with `ops`
// of these ops in all. An interval consists of the calls that start in it, with what these issued.
// It begins and ends where a call issues something, and where the device has as little left to do
// as there is near by: best where it waits for the host.
//
//   host    abc.s..abc.s..abc.s    launches a, b, c and a wait s
//   device  .aabbcc.aabbcc.aabbcc  intervals begin and end with a: all is done then
//
// Intervals are in order. Empty ones are left out; those that touch become one. Times are in ns
// since the session start. `of` are ops of `lead`, in Trace::devices, in which there are at least
// `count`.
std::vector<Interval> spread_stretches(const Trace& trace, std::size_t lead, const OpSet& of,
                                       std::size_t ops, std::size_t count);

}  // namespace lapscope::analyzer
