#pragma once

#include <optional>
#include <vector>

#include "analyzer/intervals/interval_set.h"
#include "analyzer/intervals/units.h"

namespace lapscope::analyzer {

// The difference between two clocks as a line over time. The sum of a time of one clock and the
// difference, in ns, is the time of the other clock.
struct ClockLine {
  Ns from = 0;       // a time at which the difference is `offset`
  Ns offset = 0;     // ns
  double drift = 0;  // ns of difference per ns

  Ns at(Ns time) const;
  Ns on_common_clock(Ns time) const { return time + at(time); }
  // Returns the inverse of on_common_clock(), with an error of at most 1 ns.
  Ns on_own_clock(Ns time) const;
};

// At `time`, the difference is at least, or at most, `difference`.
struct ClockBound {
  Ns time = 0;
  Ns difference = 0;
};

struct FittedClock {
  ClockLine line;
  Ns error = 0;  // the greatest error of `line` in the whole time of the clock
};

// Returns a line that keeps the bounds and drifts by at most assumed::most_drift. Of all such
// lines, it has the least drift. If several lines have this drift, it is the middle one. Returns
// nothing if no line keeps the bounds.
//
//   difference  x      x
//                 x  ....x   a line below every x and above every o
//               .....  o
//                 o            time
//
// `at_least` and `at_most` must not be empty. For a given drift, the difference at time 0 lies
// between two values: the upper one is a concave function of the drift, and the lower one a convex
// function. So ternary search finds the greatest and the least difference at any time.
// FittedClock::error is the greatest error in two intervals together: `whole`, and the time from
// the first bound to the last.
std::optional<FittedClock> fit_clock(const std::vector<ClockBound>& at_least,
                                     const std::vector<ClockBound>& at_most, Interval whole);

}  // namespace lapscope::analyzer
