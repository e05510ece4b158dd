#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "workloads/scan/problem/combination.h"
#include "workloads/scan/problem/input.h"

namespace lapscope::workloads::scan {

std::string_view name_of(Fill fill);

// What a scan of input_at(0), input_at(1) ... must give.
struct Expectation {
  Combination combination;
  Kind kind = Kind::inclusive;
  Fill fill = Fill::random;
  // For sums of f32 that round: the most roundings that an element passes through on its way to any
  // result. A result of k elements is held to k - 1, if that is fewer.
  std::uint64_t depth = 0;
};

// Writes the first `n` elements of the input to host memory.
void fill_host(Combination combination, Fill fill, void* in, std::uint64_t n);

// Compares results in host memory, part after part from the beginning: each call takes the next
// `count` and returns the index in the whole array of the first wrong one, if any.
//
// Everything must be exact but sums of real f32, which are compared with a sum in double precision
// and may differ by float_error_bound, and of more than 2^24 ones in f32, which may from there on.
using Comparison =
    std::function<std::optional<std::uint64_t>(const void* part, std::uint64_t count)>;
Comparison compare_with_reference(const Expectation& expectation);

// The first wrong one of `n` results in host memory, if any. Uses all cores for many exact ones.
std::optional<std::uint64_t> find_wrong_on_host(const Expectation& expectation, const void* out,
                                                std::uint64_t n);

// Whether the rule "next = op(last, input)" checks all of `n` results exactly.
bool is_exact(const Expectation& expectation, std::uint64_t n);

}  // namespace lapscope::workloads::scan
