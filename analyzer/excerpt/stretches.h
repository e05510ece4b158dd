#pragma once

#include <cstddef>
#include <vector>

#include "analyzer/model/trace.h"
#include "analyzer/scope/scope.h"

namespace lapscope::analyzer {

// Returns up to `count` intervals of a trace. They contain a sample of the set `of`, which has at
// least `count` ops of the device Trace::devices[lead]. The sample is evenly spread over the set,
// and has about `ops` ops in total. A call belongs to the interval in which the call starts. An op
// belongs to the interval of its call. Each border of an interval is the time at which a call
// issues an op. Of several nearby calls, chooses the call at which the devices have the least
// pending work. At best, the devices have no work, and wait for the host.
//
//   host    abc.s..abc.s..abc.s    a, b, c: launches; s: a call that waits for the device
//   device  .aabbcc.aabbcc.aabbcc  borders are at the launches a: the device has no work left there
//
// Intervals are in ns since the session start, and in order. Empty intervals are left out, and
// intervals that touch are merged.
std::vector<Interval> spread_stretches(const Trace& trace, std::size_t lead, const OpSet& of,
                                       std::size_t ops, std::size_t count);

}  // namespace lapscope::analyzer
