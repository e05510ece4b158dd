#pragma once

#include <cstdint>
#include <vector>

#include "workloads/scan/bench/arrays.h"
#include "workloads/scan/problem/reference.h"
#include "workloads/scan/rungs/rung.h"

namespace lapscope::workloads::scan {

// One entry of the correctness matrix.
struct Case {
  const Rung* rung = nullptr;
  Combination combination;
  Kind kind = Kind::inclusive;
  Fill fill = Fill::random;
  Placement placement = Placement::aligned;
  std::uint64_t n = 0;
};

// The sizes worth a test: around nothing, a warp, the rung's tile; odd ones, 10^7, and, if `max_n`
// allows, 2^28 and 2^31 + 17, whose indices do not fit into 32 bits. Ascending, without repeats.
std::vector<std::uint64_t> sizes_for(const Rung& rung, std::uint64_t max_n);

// All cases of a rung up to `max_n` elements: every type and operator that it supports, inclusive
// and exclusive, each size with random input. Up to 10^7 elements also constant input, a misaligned
// base and, where input and output have one type, a scan in place. Sums of f32 also with real
// input, as far as the bound means something.
std::vector<Case> cases_for(const Rung& rung, std::uint64_t max_n);

// Whether a sum of `n` real f32 by this rung that has lost an average element is beyond the bound
// of its error: only then does the comparison say anything.
bool bound_means_something(const Rung& rung, std::uint64_t n);

// Memory that the case needs, the rung's workspace included, but for what is small beside `n`.
std::uint64_t bytes_for(const Case& entry);

}  // namespace lapscope::workloads::scan
