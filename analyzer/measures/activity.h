#pragma once

#include <array>
#include <string_view>

#include "analyzer/intervals/interval_set.h"
#include "analyzer/measures/scope.h"
#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

// What all measures of one scope start from. Made once, so that a measure is a line of arithmetic.
struct Activity {
  Interval window;
  std::int64_t sum = 0;  // Σ|op|: overlapping ops count each
  IntervalSet busy;      // ∪ of all ops
  std::array<IntervalSet, all_engines.size()> engines;
  std::array<std::int64_t, all_engines.size()> engine_sum{};  // Σ|op| of each

  std::int64_t kernel_sum = 0;          // Σ|kernel|
  std::int64_t kernel_union = 0;        // |∪ kernels|
  std::int64_t kernels_overlapped = 0;  // time with two kernels or more
  IntervalSet comm;                     // ∪ of communication kernels
  IntervalSet compute_beside_comm;      // ∪ of the other work on the compute engine

  std::int64_t longest_kernel = 0;
  // Σ|op| × share of the device that the op's grid can fill, over the compute engine; -1 when the
  // shape of a kernel or the device's limits are not known.
  std::int64_t compute_area = 0;

  const IntervalSet& of(Engine engine) const { return engines[static_cast<std::size_t>(engine)]; }
  std::int64_t sum_of(Engine engine) const { return engine_sum[static_cast<std::size_t>(engine)]; }
  IntervalSet copies() const;  // ∪ of the three copy engines
};

// Whether a kernel communicates between GPUs: NCCL's and NVSHMEM's, by the beginning of the name.
bool is_communication(std::string_view kernel);

// Throws std::overflow_error when the durations add up to more than 2^63 ns.
Activity activity_of(const Device& device, const Names& names, const Scope& scope);

}  // namespace lapscope::analyzer
