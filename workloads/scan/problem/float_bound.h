#pragma once

#include <cstdint>

namespace lapscope::workloads::scan {

// How far a sum of f32 may lie from the exact one: depth * 2^-24 * (the sum of the magnitudes of
// its terms), and a little more for the terms of higher order. `depth` is the largest number of
// additions that any term passes through; each of them rounds once, by at most half a unit in the
// last place (Higham, Accuracy and Stability of Numerical Algorithms, section 4.2).
//
// True for every order of adding, and therefore for a look-back, whose order differs from run to
// run. Infinite where depth * 2^-24 reaches 1: then f32 promises nothing.
double float_error_bound(std::uint64_t depth, double sum_of_magnitudes);

// How many roundings a term of a sum of `terms` may pass through, if no term of any result passes
// through more than `depth`: never more than there are other terms.
std::uint64_t roundings_of(std::uint64_t terms, std::uint64_t depth);

}  // namespace lapscope::workloads::scan
