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

// Returns a line that meets all bounds: it lies above or on each bound in `at_least`, and below or
// on each bound in `at_most`. Of all such lines, chooses those with the least drift, and of these
// the middle line. Returns nullopt if no such line has a drift of at most assumed::most_drift.
//
//   difference  x      x      x: bounds in `at_most`
//                 x  ....x    .: the line
//               .....  o      o: bounds in `at_least`
//                 o
//                      time
//
// `at_least` and `at_most` must not be empty. FittedClock::error holds for all times in `whole`,
// for the times of all bounds, and in between.
std::optional<FittedClock> fit_clock(const std::vector<ClockBound>& at_least,
                                     const std::vector<ClockBound>& at_most, Interval whole);

}  // namespace lapscope::analyzer
