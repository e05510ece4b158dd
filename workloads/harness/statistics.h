#pragma once

#include <vector>

namespace lapscope::workloads {

// The value below which a share `q` of the values lies, interpolated between neighbours: 0.5 is the
// median, 0.25 and 0.75 are the quartiles. `values` must not be empty.
double quantile(std::vector<double> values, double q);

struct Quartiles {
  double low = 0;
  double median = 0;
  double high = 0;
};

// `values` must not be empty.
Quartiles quartiles(const std::vector<double>& values);

}  // namespace lapscope::workloads
