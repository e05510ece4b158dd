#pragma once

#include <cstddef>
#include <cstdint>

namespace lapscope::workloads::streams {

// How much work a case does. The defaults are small, so that recordings are small.
struct Shape {
  int tiles = 12;  // Tiles of a pipeline. Other cases compute their repetitions from this number.
  int tile_mib = 8;
  double kernel_us = 130;  // Wanted length of the kernel of a tile: shorter than its copies.

  std::size_t tile_bytes() const { return static_cast<std::size_t>(tile_mib) << 20; }
  std::size_t tile_elements() const { return tile_bytes() / sizeof(std::uint32_t); }
};

// How long the parts of a case take on this machine, in us. Each part is measured separately, in
// the same run. A part that the case does not have is 0.
struct PartTimes {
  double h2d_us = 0;         // Copy of a tile to the device, alone on the link.
  double d2h_us = 0;         // Copy of a tile to the host, alone on the link.
  double h2d_both_us = 0;    // The same with the other engines running.
  double d2h_both_us = 0;    // The same with the other engines running.
  double kernel_us = 0;      // Kernel of a tile, or of a step.
  double other_us = 0;       // A second kernel, if the case has one.
  double step_us = 0;        // The short operation that ends a tile.
  double hand_over_us = 0;   // From the end of an operation to the start of the next in its stream.
  double launch_us = 0;      // A launch, on the host.
  double round_trip_us = 0;  // Launching an empty kernel and waiting for it.
  double planted_us = 0;     // The planted call or copy, once.
};

// The expected times, computed with formulas from the times of the parts.
struct Expectation {
  double wall_us = 0;  // Of the program: from its first call until all is done.
  double sum_us = 0;   // The durations of all operations of one GPU, added up.
  double gpu_us = 0;   // From one GPU's first operation to its last; 0: same as wall_us.

  double of_gpu_us() const { return gpu_us > 0 ? gpu_us : wall_us; }
  // Returns 1 - wall / sum for a GPU. An analysis reports this measure.
  double overlap_ratio() const { return 1 - of_gpu_us() / sum_us; }
};

// For the next three functions, a tile is copied to the device (H), computed on by a kernel (K) and
// copied to the host (D). If `step_us` is not 0, a short step follows. The drawings show the tiles
// A, B and C.

// Tiles run one after the other. After each operation comes a hand-over to the next engine. After
// each tile, the device is idle for `between_us`.
//
//   H  AA      BB
//   K    AA      BB
//   D      AA      BB
Expectation one_after_the_other(const PartTimes& parts, const Shape& shape, double between_us = 0);

// Each buffer has a tile in progress. The busiest engine or the number of buffers limits the pace.
// H, K and D are the engines, and A, B and C are tiles:
//
//   H  AABBCC
//   K    AABBCC
//   D      AABBCC
Expectation pipelined(const PartTimes& parts, const Shape& shape, int buffers);

// Like pipelined(), but the host needs `host_us` between two tiles.
Expectation paced_by_host(const PartTimes& parts, const Shape& shape, int buffers, double host_us);

// Returns the sum of the durations of `count` kernels, whose tiles arrive every `apart_us`. A
// kernel takes `kernel_us` if it ends before the next tile arrives. If tiles arrive faster, kernels
// overlap. They end in the order in which they began, so each also waits for the kernels before it.
//
//   K  AAA
//   K   BBBBB
//   K    CCCCCCC
//
// There are `buffers` buffers. Between two kernels that use the same buffer, the old tile is
// copied out and a new tile is copied in.
double kernels_us(const PartTimes& parts, int count, double apart_us, int buffers = 255);

// Returns the time from one tile to the next in the middle of a pipeline.
double period_us(const PartTimes& parts, int buffers);

// Returns how long the busiest engine works for a tile: the limit of period_us() for many buffers.
double engine_bound_us(const PartTimes& parts);

// Computes the expectation of a variant.
using Expect = Expectation (*)(const PartTimes&, const Shape&);

}  // namespace lapscope::workloads::streams
