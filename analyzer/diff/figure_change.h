#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "analyzer/measures/measure.h"
#include "analyzer/summary/repeats.h"

namespace lapscope::analyzer {

// What a difference between two sides means. `unclear`: there are too few repeats to distinguish it
// from noise. `same`: it is likely noise. `different`: it is no noise, but neither better nor
// worse.
enum class Change { unclear, same, better, worse, different };

std::string_view name_of(Change change);

// A figure on both sides of a comparison.
struct FigureChange {
  std::optional<Repeats> before;  // empty: not defined, or not there
  std::optional<Repeats> after;
  std::optional<double> chance;  // see chance_of_difference; empty when unclear
  Change change = Change::unclear;

  // The difference of the medians; empty unless both are there.
  std::optional<double> difference() const;
};

// The values of each side's repeats that have one.
FigureChange figure_change(const std::vector<double>& before, const std::vector<double>& after,
                           Better better);

}  // namespace lapscope::analyzer
