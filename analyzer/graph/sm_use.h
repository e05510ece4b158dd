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

  // Whether it leaves no room at all until it nearly ends.
  bool fills() const { return waves > 1; }
};

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
