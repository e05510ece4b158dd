#pragma once

#include <span>

#include "analyzer/diff/comparison.h"

namespace lapscope::analyzer {

// Compares runs that are repeats of one program with others that are. Work is matched by device and
// range, kernels by name, and their launches by order too. At least one run, and at most
// most_repeats, on each side.
Comparison compare_runs(std::span<const RunSummary> before, std::span<const RunSummary> after);

}  // namespace lapscope::analyzer
