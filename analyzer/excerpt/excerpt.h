#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

// Some intervals of a trace, joined to a new trace. The new trace describes a run that consists
// only of these intervals.
//
//   whole     ab.[cd.ef.]gh.ij.[kl.mn.]op
//   excerpt   cd.ef.kl.mn.
//
// The excerpt has the calls that start in an interval, and the ops that these calls issued, even if
// the ops ran later. It also has the other records of the interval's time. A call in the excerpt
// may wait for an event although the call that records this event is not in the excerpt.
//
// In the excerpt, an interval begins at the first time that fulfills three conditions:
// - The previous interval has ended.
// - The ops of earlier intervals end before the first op of this interval starts.
// - The calls of one thread do not overlap.
//
// A call of the excerpt ends at the latest with its interval. If the interval's last op ends later
// than the interval, the call ends at the latest with this op.
struct Excerpt {
  struct Part {
    Ns earlier = 0;  // by how many ns the part is earlier in the excerpt than in the whole trace
    // The two times below are on the excerpt's clock.
    Ns first_call = 0;
    Ns first_op = 0;
  };

  Trace trace;
  std::vector<Part> parts;
  // For each device and each op of the excerpt, the index of this op in the whole trace.
  std::vector<std::vector<std::uint32_t>> ops;

  // Returns the part that has an op. `start` is the start of the op on the excerpt's clock.
  const Part& part_of_op(Ns start) const;
};

// Makes an excerpt of the intervals `stretches`, which are in order and disjoint. Goes once over
// the trace's ops and ranges. Needs memory only for the contents of the intervals.
Excerpt excerpt_of(const Trace& whole, const std::vector<Interval>& stretches);

}  // namespace lapscope::analyzer
