#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "workloads/harness/shared_library.h"

namespace lapscope::workloads::streams {

// The functions of NCCL that are used here. They are declared as in NCCL's header, and loaded at
// run time. They throw std::runtime_error if NCCL reports an error. The constructor throws
// SkippedError if NCCL is not installed.
class Nccl {
 public:
  using Communicator = void*;

  Nccl();

  // Returns a communicator for each of the first `gpus` devices. All are in this process.
  std::vector<Communicator> connect(int gpus) const;
  void disconnect(Communicator communicator) const;

  // If one thread makes calls for several devices, it must make them inside a group.
  void begin_group() const;
  void end_group() const;

  // Adds up `from` over all GPUs and writes the sum to `to`. The arrays have `count` words.
  void add_up(const std::uint32_t* from, std::uint32_t* to, std::size_t count,
              Communicator communicator, cudaStream_t stream) const;

 private:
  SharedLibrary library_;
};

}  // namespace lapscope::workloads::streams
