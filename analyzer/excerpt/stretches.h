#pragma once

#include <cstddef>
#include <vector>

#include "analyzer/model/trace.h"
#include "analyzer/scope/scope.h"

namespace lapscope::analyzer {

// Returns up to `count` intervals of a trace: an evenly spread sample of the ops in `of`, with
// about `ops` ops in total. An interval has the calls that start in it, and the ops that they
// issued. Each border is the time at which a call issues an op. Among nearby calls, takes the one
// at which the devices have the least pending work: at best none, so that they wait for the host.
//
//   host    abc.s..abc.s..abc.s    a, b, c: launches; s: a call that waits for the device
//   device  .aabbcc.aabbcc.aabbcc  borders are at the launches a: the device has no work left there
//
// Intervals are in ns since the session start, and in order. Empty intervals are left out, and
// intervals that touch are merged. `lead` is the device of `of`, as an index in Trace::devices.
// `of` has at least `count` ops.
std::vector<Interval> spread_stretches(const Trace& trace, std::size_t lead, const OpSet& of,
                                       std::size_t ops, std::size_t count);

}  // namespace lapscope::analyzer
