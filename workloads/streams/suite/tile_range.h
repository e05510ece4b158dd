#pragma once

#include <string>

#include "workloads/harness/measured_region.h"

namespace lapscope::workloads::streams {

// The NVTX range of a tile, or of what a case has instead: a kernel, a round, a layer.
class TileRange : public NvtxRange {
 public:
  template <typename Index>
  explicit TileRange(Index index) : NvtxRange(("tile " + std::to_string(index)).c_str()) {}
};

}  // namespace lapscope::workloads::streams
