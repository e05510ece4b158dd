#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

// Some intervals of a trace, one after the other, as a trace of its own: of a run that consists of
// these intervals alone.
//
//   whole     ab.[cd.ef.]gh.ij.[kl.mn.]op
//   excerpt   cd.ef.kl.mn.
//
// An interval has the calls that start in it, the ops that these calls issued whenever they ran,
// and what else the trace has of that time. What came before an interval is not known in it: an
// event that was recorded then is none. The host goes on as it did where an interval ended, and no
// later part's op starts before an earlier part's op ended. A call that lasts beyond both, its
// interval and the last op of it, is cut there.
struct Excerpt {
  struct Part {
    Interval issued;  // the interval of the whole
    Ns earlier = 0;   // what its times were moved by
    // In times of the excerpt.
    Ns first_call = 0;
    Ns first_op = 0;
  };

  Trace trace;
  std::vector<Part> parts;
  // By device, as in the whole: which op of the whole each is.
  std::vector<std::vector<std::uint32_t>> ops;

  // The part that an op of the excerpt is in, by when it started.
  const Part& part_of_op(Ns start) const;
};

// Intervals are in order and disjoint. Takes one pass over the trace's ops and ranges, and memory
// for what the intervals hold.
Excerpt excerpt_of(const Trace& whole, const std::vector<Interval>& stretches);

}  // namespace lapscope::analyzer
