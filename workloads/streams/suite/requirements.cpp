#include "workloads/streams/suite/requirements.h"

#include <cuda_runtime_api.h>

#include <cstdlib>
#include <string>

#include "workloads/harness/copy_times.h"
#include "workloads/harness/cuda_check.h"
#include "workloads/harness/guard.h"

namespace lapscope::workloads::streams {
namespace {

// Of any pipeline and of its calibration.
constexpr std::size_t most_buffers = 16;

}  // namespace

void set_environment(const Variant& variant) {
  for (const auto& [name, value] : variant.environment) setenv(name.c_str(), value.c_str(), 1);
}

Memory memory_needed(const Needs& needs, const Shape& shape) {
  const auto tiles = static_cast<std::size_t>(shape.tiles);
  const auto copies = static_cast<std::size_t>(needs.host_copies);
  return {(copies * tiles + 2 * calibration_tiles) * shape.tile_bytes() + memory_of_cuda,
          (tiles + most_buffers) * shape.tile_bytes() + tiles * needs.device_bytes_per_tile +
              memory_of_cuda};
}

void require_machine(const Needs& needs, const Shape& shape) {
  int gpus = 0;
  check(cudaGetDeviceCount(&gpus), "count the CUDA devices");
  if (gpus < needs.gpus) {
    throw SkippedError("this case needs " + std::to_string(needs.gpus) + " GPUs, and " +
                       std::to_string(gpus) + (gpus == 1 ? " is" : " are") + " visible");
  }
  require_memory(memory_needed(needs, shape), free_memory(needs.gpus),
                 "use fewer --tiles or a smaller --tile-mib");
}

}  // namespace lapscope::workloads::streams
