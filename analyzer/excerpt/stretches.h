#pragma once

#include <cstddef>
#include <vector>

#include "analyzer/model/trace.h"
#include "analyzer/scope/scope.h"

namespace lapscope::analyzer {

// Returns up to `count` intervals of a trace. They are an evenly spread sample of the ops in `of`,
// with about `ops` ops in total. An interval consists of the calls that start in it, and of the ops
// that these calls issued. At each border of an interval, a call issues an op. Of the possible
// borders, the one with the least pending work on the devices is taken. At best, the devices have
// no pending work and wait for the host.
//
//   host    abc.s..abc.s..abc.s    launches a, b, c and a wait s
//   device  .aabbcc.aabbcc.aabbcc  borders are at a, because the device has no work left then
//
// The intervals are in order. Empty intervals are left out, and intervals that touch are merged.
// Times are in ns since the session start. `lead` is the device of the ops in `of`, as an index in
// Trace::devices. `of` has at least `count` ops.
std::vector<Interval> spread_stretches(const Trace& trace, std::size_t lead, const OpSet& of,
                                       std::size_t ops, std::size_t count);

}  // namespace lapscope::analyzer
