#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <memory>

#include "workloads/harness/calibration.h"
#include "workloads/harness/usual_choice.h"

namespace lapscope::workloads {

// A kernel of a kind that is common in programs. It has memory of its own, so that its length does
// not depend on copied tiles. Launches of different lanes write to different memory.
class UsualKernel {
 public:
  virtual ~UsualKernel() = default;

  // The length of the kernel is almost proportional to `work`. All launches of one lane must be
  // issued to the same stream.
  virtual void launch(std::size_t lane, std::uint32_t work, cudaStream_t stream) = 0;

  // Two amounts of work for a linear fit, for about 20 us and 200 us, and the maximum amount.
  struct Works {
    std::uint32_t small = 1;
    std::uint32_t large = 1;
    std::uint32_t most = 1;
  };
  virtual Works works() const = 0;

  // Throws std::runtime_error unless all launches computed the right results. Waits for the GPU.
  virtual void verify() = 0;
};

// Allocates and fills the kernel's memory, loads the kernel, and launches it once per lane. Waits
// for the GPU. Throws SkippedError for a gemm if cuBLAS is not installed.
std::unique_ptr<UsualKernel> make_usual_kernel(UsualKind kind, GpuShare share, int multiprocessors,
                                               std::size_t lanes);

// Returns the amount of work that makes a launch take `us` alone on this GPU. Waits for the GPU.
std::uint32_t work_for(UsualKernel& kernel, double us, cudaStream_t stream);

}  // namespace lapscope::workloads
