#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "analyzer/model/ops.h"
#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

// The room that a kernel takes on a device's multiprocessors. Loads are parts of one
// multiprocessor's resource, in [0, 1].
struct SmUse {
  enum Resource : std::size_t { warps, registers, shared_memory, blocks, resources };
  using Load = std::array<float, resources>;

  Load block{};      // one block on the multiprocessor that it runs on
  Load loaded{};     // as many as run on one multiprocessor at once
  float covers = 0;  // the part of the multiprocessors that it has blocks on, in (0, 1]
  // Blocks divided by those that fit on the device at once, at least 1. A kernel of more than one
  // wave takes any room that becomes free until its last blocks have started.
  double waves = 1;
  // The part of its length that its last wave leaves to others at most, in which they have all
  // multiprocessors in effect. Blocks take ceil(waves) rounds, and in the last of them not all
  // multiprocessors have one. The first blocks of the next kernel start there (wave quantization,
  // as NVIDIA's guide to the performance of matrix multiplication calls it):
  //
  //   SM 0  AABB    One block each on 4 multiprocessors, 7 of A and 7 of B: 1.75 waves each. Alone
  //   SM 1  AABB    each takes 2 rounds. Together they take 3.5, as C may start in the fourth:
  //   SM 2  AABC    an eighth of each one's length is left to others.
  //   SM 3  ABBC
  //
  // If blocks get faster where fewer are beside them, less is left, down to nothing.
  double spare = 0;

  // Whether it leaves no room at all until it nearly ends.
  bool fills() const { return waves > 1; }
};

// How long a kernel takes, and so long before its end it lets others in, which then find room for
// so many waves of its own blocks.
struct Course {
  double work = 0;
  double last_wave_overlap = 0;
  double waves_left = 0;
};
// One that starts in the last wave of another, `ahead` before that ends, begins with `begun` waves
// of its blocks, and the others take their rounds from there on: C above has two blocks in the last
// round of B, and 5 left for two more. `work`: what it takes alone.
Course course_of(const SmUse& kernel, double work, double ahead, double begun);

// Empty when the trace lacks the device's limits or the kernel's shape.
std::optional<SmUse> sm_use(const LaunchGeometry& geometry, const DeviceLimits& limits);

// How many of a kernel's blocks find room beside kernels that run: none, some, or all that would
// run at once on an empty device.
//
// Blocks are taken to be spread evenly, and kernels that do not fit on one multiprocessor together
// to be on different ones.
enum class Fit { none, some, all };
Fit fit_of(const SmUse& kernel, const std::vector<const SmUse*>& running);

}  // namespace lapscope::analyzer
