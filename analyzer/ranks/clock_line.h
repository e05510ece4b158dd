#pragma once

#include <optional>
#include <vector>

#include "analyzer/intervals/interval_set.h"
#include "analyzer/intervals/units.h"

namespace lapscope::analyzer {

// The difference between two clocks, as a line over time. Time of one clock + difference = time of
// the other clock.
struct ClockLine {
  Ns from = 0;       // a time at which the difference is `offset`
  Ns offset = 0;     // ns
  double drift = 0;  // ns of difference per ns

  Ns at(Ns time) const;
  Ns on_common_clock(Ns time) const { return time + at(time); }
  // Returns the inverse of on_common_clock(), with an error of at most 1 ns.
  Ns on_own_clock(Ns time) const;
};

// A lower or upper bound of the difference between two clocks at `time`, in ns.
struct ClockBound {
  Ns time = 0;
  Ns difference = 0;
};

struct FittedClock {
  ClockLine line;
  Ns error = 0;  // the greatest error of `line` in the whole time of the clock
};

// Returns the line with the least drift of those that meet all bounds. Of several such lines,
// returns the middle one. The drift is at most assumed::most_drift. Returns nullopt if no line
// meets all bounds.
//
//   difference  x      x
//                 x  ....x   a line below every x and above every o
//               .....  o
//                 o            time
//
// `at_least` and `at_most` must not be empty. FittedClock::error is the greatest error in `whole`
// and between the first and the last bound. The upper limit of the difference at time 0 is a
// concave function of the drift, and the lower limit a convex function. So ternary search finds the
// greatest and the least difference at any time.
std::optional<FittedClock> fit_clock(const std::vector<ClockBound>& at_least,
                                     const std::vector<ClockBound>& at_most, Interval whole);

}  // namespace lapscope::analyzer
