#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "workloads/harness/shared_library.h"

namespace lapscope::workloads::streams {

// NCCL, found at run time: the few functions that are used, as its header declares them. Throws
// std::runtime_error where NCCL reports an error, SkippedError where there is no NCCL.
class Nccl {
 public:
  using Communicator = void*;

  Nccl();

  // One communicator for each of the first `gpus` devices, in this process.
  std::vector<Communicator> connect(int gpus) const;
  void disconnect(Communicator communicator) const;

  // Calls for several devices by one thread belong into a group.
  void begin_group() const;
  void end_group() const;

  // to = the sum of `from` over all GPUs, `count` words each.
  void add_up(const std::uint32_t* from, std::uint32_t* to, std::size_t count,
              Communicator communicator, cudaStream_t stream) const;

 private:
  SharedLibrary library_;
};

}  // namespace lapscope::workloads::streams
