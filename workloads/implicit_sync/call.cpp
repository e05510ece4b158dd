#include "workloads/implicit_sync/call.h"

namespace lapscope::workloads::implicit_sync {

void require(cudaError_t error, std::string_view action) {
  if (error == cudaSuccess) return;
  throw Unavailable("could not " + std::string(action) + ": " + cudaGetErrorString(error) + " (" +
                    cudaGetErrorName(error) + ")");
}

}  // namespace lapscope::workloads::implicit_sync
