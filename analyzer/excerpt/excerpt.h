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
// The excerpt has the calls that start in an interval. It has the ops that these calls issued, even
// if they ran later. It also has the other records of the interval's time. All other records are
// left out. So a call in the excerpt may wait for an event whose record is missing.
//
// In the excerpt, an interval usually begins at the end of the previous interval. It begins later
// if calls of one thread would overlap. It also begins later if an op would start before the ops of
// earlier intervals end. A call is cut at the later of two times: the end of its interval, and the
// end of the interval's last op.
struct Excerpt {
  struct Part {
    Ns earlier = 0;  // by how many ns the part's times are earlier in the excerpt
    // The next two times are on the excerpt's clock.
    Ns first_call = 0;
    Ns first_op = 0;
  };

  Trace trace;
  std::vector<Part> parts;
  // For each device and each op of the excerpt, the index of this op in the whole trace.
  std::vector<std::vector<std::uint32_t>> ops;

  // Returns the part of an op. `start` is the time at which the op starts, on the excerpt's clock.
  const Part& part_of_op(Ns start) const;
};

// Makes an excerpt of the intervals `stretches`, which are in order and disjoint. Goes once over
// the trace's ops and ranges. Needs memory only for the contents of the intervals.
Excerpt excerpt_of(const Trace& whole, const std::vector<Interval>& stretches);

}  // namespace lapscope::analyzer
