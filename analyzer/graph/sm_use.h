#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "analyzer/model/ops.h"
#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

// The room that a kernel takes on a device's multiprocessors: of each resource that blocks share,
// the part of the whole device's, in [0, 1]. Two kernels whose parts of a resource exceed 1
// together do not both run in full.
struct SmUse {
  enum Resource : std::size_t { warps, registers, shared_memory, blocks, resources };

  std::array<float, resources> part{};       // while as many of its blocks run as fit
  std::array<float, resources> one_block{};  // what its first block needs
  // Blocks divided by those that fit at once, at least 1. A kernel of more than one wave takes any
  // room that becomes free until its last blocks have started.
  double waves = 1;

  // Whether it leaves no room at all until it nearly ends.
  bool fills() const { return waves > 1; }
};

// Empty when the trace lacks the device's limits or the kernel's shape.
std::optional<SmUse> sm_use(const LaunchGeometry& geometry, const DeviceLimits& limits);

}  // namespace lapscope::analyzer
