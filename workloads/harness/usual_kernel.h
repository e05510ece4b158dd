#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <memory>

#include "workloads/harness/calibration.h"
#include "workloads/harness/usual_choice.h"

namespace lapscope::workloads {

// A kernel of a common kind. It works on its own memory, so its length does not depend on the tiles
// that are copied. Launches of different lanes write to different memory.
class UsualKernel {
 public:
  virtual ~UsualKernel() = default;

  // The length is almost proportional to `work`. Each lane must always use the same stream.
  virtual void launch(std::size_t lane, std::uint32_t work, cudaStream_t stream) = 0;

  // Amounts of work: `small` takes about 20 us, `large` about 200 us, and `most` is the maximum.
  struct Works {
    std::uint32_t small = 1;
    std::uint32_t large = 1;
    std::uint32_t most = 1;
  };
  virtual Works works() const = 0;

  // Throws std::runtime_error unless all launches computed the right results. Waits for the GPU.
  virtual void verify() = 0;
};

// Makes a kernel: allocates and fills its memory, loads it, and launches it once per lane. Waits
// for the GPU. Throws SkippedError for a gemm if cuBLAS is not installed.
std::unique_ptr<UsualKernel> make_usual_kernel(UsualKind kind, GpuShare share, int multiprocessors,
                                               std::size_t lanes);

// Returns the amount of work with which a launch takes `us` microseconds, alone on this GPU.
// Returns at most Works::most. Waits for the GPU.
std::uint32_t work_for(UsualKernel& kernel, double us, cudaStream_t stream);

}  // namespace lapscope::workloads
