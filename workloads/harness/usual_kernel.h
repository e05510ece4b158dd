#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <memory>

#include "workloads/harness/calibration.h"
#include "workloads/harness/usual_choice.h"

namespace lapscope::workloads {

// A kernel of a kind that people have. It works on memory of its own, so that its length does not
// depend on what is copied beside it; of what launches of different lanes write they share nothing.
class UsualKernel {
 public:
  virtual ~UsualKernel() = default;

  // `work` decides how long it takes, almost in proportion. Launches of one lane are to come one
  // after the other, in one stream.
  virtual void launch(std::size_t lane, std::uint32_t work, cudaStream_t stream) = 0;

  // Amounts of work whose time lies on a line, some 20 and 200 us, and the most there can be.
  struct Works {
    std::uint32_t small = 1;
    std::uint32_t large = 1;
    std::uint32_t most = 1;
  };
  virtual Works works() const = 0;

  // Throws std::runtime_error unless all launches computed what they should. Waits.
  virtual void verify() = 0;
};

// Allocates and fills its memory, loads the kernel and launches it once in each lane: waits. Throws
// SkippedError for a gemm where there is no cuBLAS.
std::unique_ptr<UsualKernel> make_usual_kernel(UsualKind kind, GpuShare share, int multiprocessors,
                                               std::size_t lanes);

// The work with which a launch takes `us` alone on this GPU, measured now. Waits.
std::uint32_t work_for(UsualKernel& kernel, double us, cudaStream_t stream);

}  // namespace lapscope::workloads
