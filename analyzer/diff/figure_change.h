#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "analyzer/measures/measure.h"
#include "analyzer/summary/repeats.h"

namespace lapscope::analyzer {

// What a difference between two sides means.
// - unclear: there are too few repeats to distinguish the difference from noise.
// - same: the difference is likely noise.
// - different: the difference is not noise, but it is neither better nor worse.
enum class Change { unclear, same, better, worse, different };

std::string_view name_of(Change change);

// A figure on both sides of a comparison.
struct FigureChange {
  std::optional<Repeats> before;  // empty if the side has no value
  std::optional<Repeats> after;
  std::optional<double> chance;  // see chance_of_difference; empty when unclear
  Change change = Change::unclear;

  // Returns the later median minus the earlier median. Empty if a side has no value.
  std::optional<double> difference() const;
};

// Compares the values of two sides. `before` and `after` leave out repeats that have no value.
FigureChange figure_change(const std::vector<double>& before, const std::vector<double>& after,
                           Better better);

}  // namespace lapscope::analyzer
