#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "workloads/scan/problem/combination.h"
#include "workloads/scan/problem/input.h"

namespace lapscope::workloads::scan {

// What a scan of input_at(0), input_at(1) ... must give.
struct Expectation {
  Combination combination;
  Kind kind = Kind::inclusive;
  Fill fill = Fill::random;
  std::uint64_t depth = 0;  // For sums of f32: how many roundings an element may pass through.
};

// Writes the first `n` elements of the input to host memory.
void fill_host(Combination combination, Fill fill, void* in, std::uint64_t n);

// Compares results in host memory, part after part from the beginning: each call takes the next
// `count` and returns the index in the whole array of the first wrong one, if any.
//
// Everything must be exact but sums of f32, which are compared with a sum in double precision and
// may differ by float_error_bound.
using Comparison =
    std::function<std::optional<std::uint64_t>(const void* part, std::uint64_t count)>;
Comparison compare_with_reference(const Expectation& expectation);

// Whether the rule "next = op(last, input)" checks a result exactly.
bool is_exact(Combination combination);

}  // namespace lapscope::workloads::scan
