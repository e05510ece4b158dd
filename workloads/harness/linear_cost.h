#pragma once

#include <cstdint>

namespace lapscope::workloads {

// One timed operation: how much work it did (iterations, bytes) and how long it took.
struct Probe {
  double units = 0;
  double us = 0;
};

// The time of an operation as a fixed cost plus a cost per unit of work.
struct LinearCost {
  double fixed_us = 0;  // Launch and completion; noise may make it slightly negative.
  double us_per_unit = 0;

  double predict_us(double units) const { return fixed_us + us_per_unit * units; }

  // The number of units, at least 1, whose predicted time is nearest to `us`.
  std::uint32_t units_for(double us) const;
};

// The line through two probes, `small` with the fewer units.
//
// If noise made the larger probe no longer than the smaller one, the line through the origin and
// the larger probe is used instead. Throws std::runtime_error if that fails too.
LinearCost fit_linear_cost(Probe small, Probe large);

}  // namespace lapscope::workloads
