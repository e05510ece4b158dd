#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "workloads/harness/shared_library.h"

namespace lapscope::workloads::streams {

// The NCCL functions in use, declared as in NCCL's header and loaded at run time. Throws
// std::runtime_error if NCCL reports an error, and SkippedError if NCCL is not installed.
class Nccl {
 public:
  using Communicator = void*;

  Nccl();

  // Returns one communicator for each of the first `gpus` devices, in this process.
  std::vector<Communicator> connect(int gpus) const;
  void disconnect(Communicator communicator) const;

  // A thread that makes calls for several devices must make them inside a group.
  void begin_group() const;
  void end_group() const;

  // Sums `from` over all GPUs and writes the sum to `to`. The arrays have `count` words.
  void add_up(const std::uint32_t* from, std::uint32_t* to, std::size_t count,
              Communicator communicator, cudaStream_t stream) const;

 private:
  SharedLibrary library_;
};

}  // namespace lapscope::workloads::streams
