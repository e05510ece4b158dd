#pragma once

#include <cstdint>
#include <iosfwd>
#include <vector>

#include "tests/bench/child_run.h"

namespace lapscope::bench {

// At most: what `analyze` takes in multiples of the scan, and its memory.
struct Goals {
  double ratio = 2;
  double bytes_per_op = 100;
};
inline constexpr Goals without_causes{2, 100};
inline constexpr Goals with_causes{4, 200};

// What was measured on the trace of one size. The runs of one round have the same index.
struct SizeRuns {
  std::int64_t ops = 0;
  std::int64_t file_bytes = 0;
  double read_s = 0;           // reading the whole file from the page cache, once
  std::int64_t empty_rss = 0;  // peak of `analyze` on a trace of one op
  std::vector<Run> analyze;
  std::vector<Run> scan;
};

// The median; for an even number of values, the mean of the middle two. `values` must not be empty.
double median(std::vector<double> values);

// The median over the rounds of what `analyze` took in multiples of what the scan took.
double ratio(const SizeRuns& runs);
// The same from the quickest run of each: what is left when others use the machine too.
double ratio_of_quickest(const SizeRuns& runs);
// Peak memory that the ops of the trace are the reason for, by op.
double bytes_per_op(const SizeRuns& runs);

// b in y ~ x^b through two points: 1 is linear growth.
double growth_exponent(double x1, double y1, double x2, double y2);

// A table of the sizes, with the goals, and how time and memory grow from each to the next.
void print_summary(const std::vector<SizeRuns>& sizes, const Goals& goals, std::ostream& out);

}  // namespace lapscope::bench
