#include "workloads/scan/problem/float_bound.h"

#include <algorithm>
#include <limits>

namespace lapscope::workloads::scan {

double float_error_bound(std::uint64_t depth, double sum_of_magnitudes) {
  constexpr double unit_roundoff = 1.0 / (1 << 24);
  const double rounding = static_cast<double>(depth) * unit_roundoff;
  if (rounding >= 1) return std::numeric_limits<double>::infinity();
  return rounding / (1 - rounding) * sum_of_magnitudes;
}

std::uint64_t roundings_of(std::uint64_t terms, std::uint64_t depth) {
  return terms == 0 ? 0 : std::min(depth, terms - 1);
}

}  // namespace lapscope::workloads::scan
