#include "workloads/harness/linear_cost.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace lapscope::workloads {

std::uint32_t LinearCost::units_for(double us) const {
  constexpr double max = std::numeric_limits<std::uint32_t>::max();
  const double units = std::round((us - fixed_us) / us_per_unit);
  return static_cast<std::uint32_t>(std::clamp(units, 1.0, max));
}

LinearCost fit_linear_cost(Probe small, Probe large) {
  if (!(large.us > 0) || !(large.units > small.units)) {
    throw std::runtime_error("could not calibrate: a timed operation took no time");
  }
  const double slope = (large.us - small.us) / (large.units - small.units);
  if (!(slope > 0)) return {0, large.us / large.units};
  return {large.us - slope * large.units, slope};
}

}  // namespace lapscope::workloads
