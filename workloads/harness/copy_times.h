#pragma once

#include <cstddef>
#include <functional>

namespace lapscope::workloads {

// What copying a tile between pinned memory and the current device takes, in us.
struct CopyTimes {
  double h2d_us = 0;       // Alone on the link.
  double d2h_us = 0;       //
  double h2d_both_us = 0;  // While the other direction runs too, and kernels if there are any.
  double d2h_both_us = 0;  //
};

// Tiles of host memory that measuring a direction of the link takes.
constexpr std::size_t calibration_tiles = 6;

// Copies of tiles of `elements` words of 32 bits. `launch_kernel` puts one launch, as long as the
// kernel of a tile, into a stream of the caller. Waits. 32 copies, in memory of its own.
CopyTimes measure_copies(std::size_t elements, const std::function<void()>& launch_kernel = {});

}  // namespace lapscope::workloads
