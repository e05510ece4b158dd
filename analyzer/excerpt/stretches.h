#pragma once

#include <cstddef>
#include <vector>

#include "analyzer/model/trace.h"
#include "analyzer/scope/scope.h"

namespace lapscope::analyzer {

// Returns up to `count` intervals of a trace: an evenly spread sample of the ops in `of`, with
// about `ops` ops in total. An interval has the calls that start in it, and the ops that they
// issued. At a border, a call issues an op, and the devices have little pending work. At best, the
// devices have no pending work and wait for the host.
//
//   host    abc.s..abc.s..abc.s    launches a, b, c and a wait s
//   device  .aabbcc.aabbcc.aabbcc  borders are at a, because the device has no work left then
//
// Intervals are in ns since the session start, and in order. Empty intervals are left out, and
// intervals that touch are merged. `lead` is the device of `of`, as an index in Trace::devices.
// `of` has at least `count` ops.
std::vector<Interval> spread_stretches(const Trace& trace, std::size_t lead, const OpSet& of,
                                       std::size_t ops, std::size_t count);

}  // namespace lapscope::analyzer
