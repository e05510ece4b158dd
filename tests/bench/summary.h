#pragma once

#include <cstdint>
#include <iosfwd>
#include <vector>

#include "tests/bench/child_run.h"

namespace lapscope::bench {

// Upper limits: the time of `analyze` as a multiple of the scan's time, and its memory.
struct Goals {
  double ratio = 2;
  double bytes_per_op = 100;
};
inline constexpr Goals without_causes{2, 100};
inline constexpr Goals with_causes{4, 200};

// Measurements on the trace of one size. The runs of one round have the same index.
struct SizeRuns {
  std::int64_t ops = 0;
  std::int64_t file_bytes = 0;
  double read_s = 0;           // seconds to read the whole file once from the page cache
  std::int64_t empty_rss = 0;  // peak of `analyze` on a trace of one op
  std::vector<Run> analyze;
  std::vector<Run> scan;
};

// Returns the median. For an even number of values it is the mean of the middle two. `values` must
// not be empty.
double median(std::vector<double> values);

// Divides the time of `analyze` in each round by the time of the scan. Returns the median.
double ratio(const SizeRuns& runs);
// Returns the same ratio for the quickest run of each command. Other users of the machine disturb
// the quickest runs least.
double ratio_of_quickest(const SizeRuns& runs);
// Returns the peak memory per op. The peak for a trace of one op is subtracted.
double bytes_per_op(const SizeRuns& runs);

// Returns b in y ~ x^b for two points. 1 is linear growth.
double growth_exponent(double x1, double y1, double x2, double y2);

// Prints a table of the sizes with the goals. It also shows how time and memory grow from each size
// to the next.
void print_summary(const std::vector<SizeRuns>& sizes, const Goals& goals, std::ostream& out);

}  // namespace lapscope::bench
