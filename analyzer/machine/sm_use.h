#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "analyzer/model/ops.h"
#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

// The room that a kernel takes on a device's multiprocessors. Loads are shares of one
// multiprocessor's resources, in [0, 1].
struct SmUse {
  enum Resource : std::size_t { warps, registers, shared_memory, blocks, resources };
  using Load = std::array<float, resources>;

  Load block{};      // load of one block
  Load loaded{};     // load of all its blocks that run on one multiprocessor at once
  float covers = 0;  // share of the multiprocessors that have blocks of it, in (0, 1]
  // The number of the kernel's blocks, divided by the number of its blocks that fit on the device
  // at once; at least 1. A kernel with more than 1 wave takes all free room until its last blocks
  // have started.
  double waves = 1;
  // The most room that the kernel's last wave leaves to other kernels: 1 - waves / ceil(waves). The
  // kernel's blocks take ceil(waves) rounds. In the last round, some multiprocessors have no block
  // of the kernel. The first blocks of the next kernel start there. A value of 1 would stand for
  // all multiprocessors during all rounds. NVIDIA's guide to the performance of matrix
  // multiplication calls this wave quantization.
  //
  //   SM 0  AABB
  //   SM 1  AABB
  //   SM 2  AABC
  //   SM 3  ABBC
  //
  // Each of these 4 multiprocessors has room for one block. A and B have 7 blocks each: 1.75 waves,
  // so 2 rounds. Of the 8 places in the 2 rounds of A, one is free, so `spare` is 1/8. B starts
  // there. C starts in the last round of B.
  //
  // If blocks run faster when fewer blocks run beside them, the last wave leaves less room, or
  // none.
  double spare = 0;

  // Whether the kernel leaves no room to other kernels before its last wave.
  bool fills() const { return waves > 1; }
};

// How long a kernel takes, and the room that its last wave leaves to other kernels.
struct Course {
  double work = 0;               // ns
  double last_wave_overlap = 0;  // time in which the last wave leaves room, in ns
  double waves_left = 0;         // that room: blocks of this kernel that fit / blocks of a wave
};
// Returns the course of a kernel C that starts in the last wave of another kernel B.
// - `ahead`: the time from the start of C to the end of B, in ns.
// - `work`: the time that C takes alone, in ns.
// - `begun`: the number of blocks of C that start in the last wave of B, divided by the number of
//   blocks in a full wave of C.
//
// The remaining blocks of C run in further rounds after the end of B. Example: C has 7 blocks, and
// a full wave has 4 blocks. Two blocks of C start in the last wave of B, so `begun` is 0.5. The
// other 5 blocks take two more rounds.
Course course_of(const SmUse& kernel, double work, double ahead, double begun);

// Returns the room that a kernel takes. Returns nullopt if the trace lacks the device's limits or
// the kernel's shape.
std::optional<SmUse> sm_use(const LaunchGeometry& geometry, const DeviceLimits& limits);

// How many of a kernel's blocks find room beside running kernels: none, some, or as many as would
// run at once on an empty device.
//
// Assumes that blocks are spread evenly. Also assumes that kernels run on different multiprocessors
// if they do not fit on one multiprocessor together.
enum class Fit { none, some, all };
Fit fit_of(const SmUse& kernel, const std::vector<const SmUse*>& running);

}  // namespace lapscope::analyzer
