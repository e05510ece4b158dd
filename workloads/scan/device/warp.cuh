#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace lapscope::workloads::scan {

inline constexpr unsigned warp_size = 32;
inline constexpr unsigned all_lanes = 0xffffffffU;

__device__ inline unsigned lane_id() { return threadIdx.x % warp_size; }
__device__ inline unsigned warp_id() { return threadIdx.x / warp_size; }

// Lane i gets the combination of lanes 0 to i, in this order. Five shuffles, no shared memory, no
// barrier. `lanes`, a power of two, is the number of lanes that matter.
template <typename Op, typename T>
__device__ T warp_inclusive_scan(T value, unsigned lanes = warp_size) {
  const unsigned lane = lane_id();
#pragma unroll
  for (unsigned distance = 1; distance < warp_size; distance *= 2) {
    if (distance >= lanes) break;
    const T left = __shfl_up_sync(all_lanes, value, distance);
    if (lane >= distance) value = Op{}(left, value);
  }
  return value;
}

// From the inclusive scan of the lanes: what lies to the left of each lane.
template <typename Op, typename T>
__device__ T shift_to_exclusive(T inclusive) {
  const T left = __shfl_up_sync(all_lanes, inclusive, 1);
  return lane_id() == 0 ? Op::identity() : left;
}

// All lanes get the combination of all lanes, with lane 31 leftmost: the order of a look-back,
// where higher lanes hold earlier tiles.
template <typename Op, typename T>
__device__ T warp_reduce_from_right(T value) {
  const unsigned lane = lane_id();
#pragma unroll
  for (unsigned distance = 1; distance < warp_size; distance *= 2) {
    const T other = __shfl_xor_sync(all_lanes, value, distance);
    value = (lane & distance) != 0 ? Op{}(value, other) : Op{}(other, value);
  }
  return value;
}

}  // namespace lapscope::workloads::scan
