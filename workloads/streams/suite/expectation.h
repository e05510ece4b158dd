#pragma once

#include <cstddef>
#include <cstdint>

namespace lapscope::workloads::streams {

// How much work a case does. Small by default, so that a recording stays small.
struct Shape {
  int tiles = 12;  // Tiles of a pipeline; what else a case repeats follows from it.
  int tile_mib = 8;
  double kernel_us = 130;  // Wanted length of the kernel of a tile: shorter than its copies.

  std::size_t tile_bytes() const { return static_cast<std::size_t>(tile_mib) << 20; }
  std::size_t tile_elements() const { return tile_bytes() / sizeof(std::uint32_t); }
};

// What the parts of a case take on this machine, each measured alone in the same run. All in us; 0
// for a part that the case does not have.
struct PartTimes {
  double h2d_us = 0;         // Copy of a tile to the device, alone on the link.
  double d2h_us = 0;         // Copy of a tile to the host, alone on the link.
  double h2d_both_us = 0;    // The same while the other engines run too.
  double d2h_both_us = 0;    //
  double kernel_us = 0;      // Kernel of a tile, or of a step.
  double other_us = 0;       // A second kernel, of cases that have one.
  double step_us = 0;        // The short operation that ends a tile.
  double hand_over_us = 0;   // From the end of an operation to the start of the next in its stream.
  double launch_us = 0;      // A launch, on the host.
  double round_trip_us = 0;  // Launching a kernel that does nothing and waiting for it.
  double planted_us = 0;     // What is planted, once: an allocation, a callback, a staged copy.
};

// What follows from the parts in closed form.
struct Expectation {
  double wall_us = 0;  // The program's: from its first call until all is done.
  double sum_us = 0;   // The durations of all operations of one GPU, added up.
  double gpu_us = 0;   // From the first operation of one GPU to its last; 0: as the program.

  double of_gpu_us() const { return gpu_us > 0 ? gpu_us : wall_us; }
  // 1 - wall / sum of a GPU: the measure that an analysis reports.
  double overlap_ratio() const { return 1 - of_gpu_us() / sum_us; }
};

// The forms that several cases share. A tile is copied in, computed on, copied out and, where the
// case has such a thing, finished by a short step.

// One tile after the other, a hand-over after each operation, and `between_us` of nothing after
// each tile.
//
//   H  AA      BB
//   K    AA      BB
//   D      AA      BB
Expectation one_after_the_other(const PartTimes& parts, const Shape& shape, double between_us = 0);

// As many tiles at once as there are buffers; the busiest engine, or too few buffers, set the pace.
//
//   H  AABBCC
//   K    AABBCC
//   D      AABBCC
Expectation pipelined(const PartTimes& parts, const Shape& shape, int buffers);

// The same with a host that needs `host_us` between two tiles.
Expectation paced_by_host(const PartTimes& parts, const Shape& shape, int buffers, double host_us);

// What `count` kernels of tiles last together, if their input arrives every `apart_us`: alone, in
// turn, each `kernel_us`. Where it arrives faster than that they run beside each other, and end in
// the order in which they began: kernel i has then waited for those before it.
//
//   K  AAA
//   K   BBBBB
//   K    CCCCCCC
//
// A tile in one of `buffers` buffers must be copied in and out between two of its kernels.
double kernels_us(const PartTimes& parts, int count, double apart_us, int buffers = 255);

// The time from one tile to the next in the middle of a pipeline.
double period_us(const PartTimes& parts, int buffers);

// The part of it that no number of buffers lowers: the busiest engine.
double engine_bound_us(const PartTimes& parts);

// Which expectation a variant has.
using Expect = Expectation (*)(const PartTimes&, const Shape&);

}  // namespace lapscope::workloads::streams
