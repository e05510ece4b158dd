#pragma once

#include <cstdint>
#include <iosfwd>
#include <vector>

#include "tests/bench/child_run.h"

namespace lapscope::bench {

// The upper limits of `analyze`. `ratio` is its time divided by the time of a plain scan.
struct Goals {
  double ratio = 2;
  double bytes_per_op = 100;
};
inline constexpr Goals without_causes{2, 100};
inline constexpr Goals with_causes{4, 200};

// The measurements of one trace size. Element i of each list belongs to round i.
struct SizeRuns {
  std::int64_t ops = 0;
  std::int64_t file_bytes = 0;
  double read_s = 0;           // seconds to read the whole file once from the page cache
  std::int64_t empty_rss = 0;  // peak of `analyze` on a trace of one op
  std::vector<Run> analyze;
  std::vector<Run> scan;
};

// Returns the median of one or more values. For an even number of values, the median is the mean of
// the middle two.
double median(std::vector<double> values);

// For each round, divides the time of `analyze` by the time of the scan. Returns the median of
// these ratios.
double ratio(const SizeRuns& runs);
// Returns the time of the quickest `analyze` divided by the time of the quickest scan. Quickest
// runs are least disturbed.
double ratio_of_quickest(const SizeRuns& runs);
// Returns the peak memory per op. Subtracts the peak of a trace of one op first.
double bytes_per_op(const SizeRuns& runs);

// Returns the exponent b of y ~ x^b through two points. Linear growth has b = 1.
double growth_exponent(double x1, double y1, double x2, double y2);

// Prints a table of sizes and goals, and how time and memory grow with the size.
void print_summary(const std::vector<SizeRuns>& sizes, const Goals& goals, std::ostream& out);

}  // namespace lapscope::bench
